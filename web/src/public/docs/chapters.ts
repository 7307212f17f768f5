/** The chapters by their name in addresses: title and topic. */
export const CHAPTERS: Record<string, [title: string, about: string]> = {
  use: [
    /*i18n*/ 'Use it',
    /*i18n*/ 'The first note, words for the chat, a note on its page, and what helps when something does not work.',
  ],
  connect: [
    /*i18n*/ 'Connect it',
    /*i18n*/ 'Keys, hooks, OpenAI’s endpoint and MCP, with examples that run as they stand.',
  ],
  run: [
    /*i18n*/ 'Run it',
    /*i18n*/ 'An installation of your own: settings, providers, upgrades, backups, and what the doctor checks.',
  ],
}
