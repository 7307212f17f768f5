// How one process of everything is started, so that its memory follows what it holds instead of what it has done. Plain
// JavaScript, as `bootstrap.mjs` is.

/**
 * V8 lets garbage grow to a multiple of what is alive; with the first option it collects at 1.3 times of it, for 4 % more
 * processor time. A young generation of the usual 16 MB fills with dead buffers of files.
 */
export const MEMORY_OPTIONS = ['--optimize-for-size', '--max-semi-space-size=2']

/**
 * glibc keeps up to eight heaps a core, each with its gaps, and no longer gives their ends back once a large piece was
 * freed; other systems ignore these.
 */
export const MEMORY_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
