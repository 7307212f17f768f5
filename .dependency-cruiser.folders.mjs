import everything from './.dependency-cruiser.mjs'

// The folders of a package import each other in one direction only, in production code.
export default {
  forbidden: [
    { name: 'no-folder-circles', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
  ],
  options: { ...everything.options, exclude: { path: '(^|/)dist/|\\.test\\.tsx?$|/testing/|testing\\.ts$' } },
}
