// Half of the processor time of a start is reading modules: what was compiled is kept for the processes that tests start.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/voxscribe`

// Node runs the TypeScript as it is; jest needs the types stripped, and swc does just that.
const swc = [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
      // `with { type: 'json' }` stays.
      experimental: { keepImportAttributes: true },
      target: 'es2024',
    },
    module: { type: 'es6' },
  },
]
const shared = {
  transform: { '^.+\\.tsx?$': swc },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testTimeout: 900_000,
}

/** This suite changes a module before others load it. */
const OWN_MODULES = 'notification/src/limits.test.ts'

export default {
  // Modules of a test file stay in memory after it, 15 MB of them: a worker with this much begins again. With twice as
  // much, collecting garbage takes longer than starting again.
  workerIdleMemoryLimit: '500MB',
  testSequencer: '<rootDir>/jest.sequencer.mjs',
  testTimeout: 900_000,
  projects: [
    {
      ...shared,
      displayName: 'node',
      // Modules are loaded once for all suites of a worker: loading them for each took half of the tests' time.
      runner: 'jest-light-runner',
      roots: [
        '<rootDir>/packages',
        '<rootDir>/stand-ins',
        '<rootDir>/services',
        '<rootDir>/deploy',
        '<rootDir>/k8s',
      ],
      testMatch: ['**/*.test.ts', `!**/${OWN_MODULES}`],
    },
    {
      ...shared,
      displayName: 'web',
      testEnvironment: '<rootDir>/web/src/testing/environment.mjs',
      setupFilesAfterEnv: ['<rootDir>/web/src/testing/each-test.ts'],
      roots: ['<rootDir>/web/src'],
      testMatch: ['**/*.test.ts', '**/*.test.tsx'],
      moduleNameMapper: {
        '\\.(css|svg|png)$': '<rootDir>/web/src/testing/asset.ts',
        '^virtual:docs$': '<rootDir>/web/src/testing/docs.ts',
      },
    },
    {
      ...shared,
      displayName: 'e2e',
      testEnvironment: 'node',
      setupFiles: ['<rootDir>/e2e/testing/errors.ts'],
      roots: ['<rootDir>/e2e', '<rootDir>/services/notification'],
      testMatch: ['<rootDir>/e2e/**/*.test.ts', `**/${OWN_MODULES}`],
    },
  ],
}
