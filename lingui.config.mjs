import { formatter } from '@lingui/format-json'

/** The texts of the product and their translations; English stands in the code. `npm run languages` collects them. */
export default {
  sourceLocale: 'en',
  locales: ['ar', 'de', 'es', 'fr', 'hi', 'id', 'it', 'pt'],
  catalogs: [
    {
      path: 'packages/languages/catalogues/{locale}',
      include: [
        'packages/contracts/src',
        'packages/languages/src',
        'packages/speech/src',
        'services/auth/src',
        'services/notification/src',
        'services/transcription/src',
        'web/src',
      ],
      exclude: ['**/*.test.*', '**/testing/**'],
    },
  ],
  // Translators get one file a language; the English text is the key.
  format: formatter({ style: 'minimal' }),
  orderBy: 'messageId',
  runtimeConfigModule: { Trans: ['@lingui/react', 'Trans'] },
}
