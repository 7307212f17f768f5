import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

// Arrows point one way: services → packages; web → contracts and languages; no service imports another. Folders are
// checked by .dependency-cruiser.folders.mjs, which leaves out the tests.
const SERVICES = '^services/([^/]+)/'
const TESTS = '\\.test\\.tsx?$'
/** Whatever shows something says it in the reader's language. */
const TEXTS = '^(web/src/language/i18n|packages/contracts/src/knowledge/refusals)\\.ts$'

/** A workspace imports only the workspaces that its package.json names: an image has no others. */
const manifests = globSync(
  ['packages/*', 'stand-ins/*', 'services/*', 'web', 'deploy/local', 'lab/drill', 'e2e'].map(
    at => `${at}/package.json`,
  ),
).map(path => ({ at: dirname(path), ...JSON.parse(readFileSync(path, 'utf8')) }))
const undeclared = manifests.flatMap(({ at, name, dependencies, devDependencies }) => {
  const declared = { ...dependencies, ...devDependencies }
  const others = manifests.filter(other => other.name !== name && !declared[other.name])
  return {
    name: `undeclared-by-${name.replace('@voxscribe/', '')}`,
    severity: 'error',
    from: { path: `^${at}/` },
    to: { path: others.map(other => `^${other.at}/`) },
  }
})

export default {
  forbidden: [
    ...undeclared,
    {
      name: 'no-service-imports-another',
      severity: 'error',
      from: { path: SERVICES },
      to: { path: SERVICES, pathNot: '^services/$1/' },
    },
    {
      name: 'packages-know-no-service',
      severity: 'error',
      from: { path: '^packages/', pathNot: `${TESTS}|testing\\.ts$|/testing/` },
      to: { path: '^(stand-ins|services|web|deploy|lab|e2e)/' },
    },
    {
      name: 'web-knows-contracts-only',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^(stand-ins|services|deploy|lab|e2e|packages/(?!(contracts|languages)/))' },
    },
    {
      name: 'contracts-know-no-one',
      severity: 'error',
      from: { path: '^packages/(contracts|languages)/' },
      to: { path: '^packages/(?!(contracts|languages)/)' },
    },
    {
      name: 'messaging-knows-contracts-only',
      severity: 'error',
      from: { path: '^packages/messaging/' },
      to: { path: '^packages/(?!contracts/|messaging/)' },
    },
    {
      name: 'speech-knows-no-database-events-or-server',
      severity: 'error',
      from: { path: '^packages/speech/', pathNot: TESTS },
      to: {
        path: '^packages/(?!(speech|contracts)/)|^packages/contracts/src/wire/events?[.]ts|node_modules/(mongoose|mongodb|amqplib|express)/',
      },
    },
    {
      name: 'speech-has-one-door',
      severity: 'error',
      from: { path: '^(services|deploy|stand-ins)/', pathNot: TESTS },
      to: { path: '^packages/speech/src/(?!(index|testing/index)[.]ts)' },
    },
    {
      name: 'stand-ins-know-nothing-of-the-product',
      severity: 'error',
      from: { path: '^stand-ins/', pathNot: TESTS },
      to: { path: '^packages/' },
    },
    {
      name: 'only-the-app-opens-screens',
      severity: 'error',
      from: { path: '^web/src/', pathNot: `^web/src/app/|${TESTS}` },
      to: { path: '-screen\\.tsx$' },
    },
    {
      name: 'ui-knows-nothing-of-the-domain',
      severity: 'error',
      from: { path: '^web/src/ui/', pathNot: TESTS },
      to: { path: '^(packages|web/src/(?!ui/|(observable|use-kept)[.]ts))', pathNot: TEXTS },
    },
    {
      name: 'api-knows-no-session',
      severity: 'error',
      from: { path: '^web/src/api/', pathNot: TESTS },
      to: { path: '^web/src/(?!api/)', pathNot: TEXTS },
    },
    {
      name: 'session-knows-the-api-only',
      severity: 'error',
      from: { path: '^web/src/session/', pathNot: TESTS },
      to: { path: '^web/src/(?!(session|api)/|(storage|observable)[.]ts)', pathNot: TEXTS },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    // Reads types, values, dynamic imports and .tsx; the notice that tsc 7 is not supported is of no consequence.
    parser: 'swc',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
