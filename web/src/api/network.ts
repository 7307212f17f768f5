/** Said where no answer came; apart from the errors of calls, which bring every refusal's text. */
export const NETWORK = /*i18n*/ 'Network error. Please check your internet connection and try again.'
