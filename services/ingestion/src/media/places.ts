/** How the names of temporary files begin. */
export const TEMPORARY_PREFIX = 'voxscribe-media-'

/** Returns the key of a note's bytes: `media/2026/11/<id>`, by the month in which it came. */
export const objectKeyOf = (mediaId: string, at: Date): string =>
  `media/${at.toISOString().slice(0, 7).replace('-', '/')}/${mediaId}`
