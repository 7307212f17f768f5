/** Joins class names and skips falsy ones. */
export const classes = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')

/** Returns the class for a text with very long words: browsers lay out kerned letters in quadratic time without breaks. */
export const kerning = (text: string) => /\S{500}/.test(text) && '[font-kerning:none]'
