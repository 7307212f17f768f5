// Options of the single process that make its memory follow what it holds, not what it has done (the rest is in
// `main.ts`). Plain JavaScript, as `bootstrap.mjs` is.

/** A young generation of the usual 16 MB fills up with dead buffers of files. */
export const MEMORY_OPTIONS = ['--max-semi-space-size=2']

/** glibc keeps up to eight heaps per core, and their ends after a large block was freed. Other systems ignore these. */
export const MEMORY_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
