// How one process of everything is started, so that its memory follows what it holds instead of what it has done (the
// rest is in `main.ts`). Plain JavaScript, as `bootstrap.mjs` is.

/** A young generation of the usual 16 MB fills with dead buffers of files. */
export const MEMORY_OPTIONS = ['--max-semi-space-size=2']

/** glibc keeps up to eight heaps a core, and their ends once a large piece was freed; other systems ignore these. */
export const MEMORY_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
