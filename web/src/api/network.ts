/** Shown when there was no response. It isn't in errors.ts, which loads the text of every refusal. */
export const NETWORK = /*i18n*/ 'Network error. Please check your internet connection and try again.'
