import type { UiLanguage } from '@voxscribe/languages'
import { commandIn } from './commands.ts'

/** Messages of a person who uses only the chat. e2e/chat.slow.test.ts has the other languages, with the replies. */
const WORDS: Record<
  Exclude<UiLanguage, 'de' | 'ar'>,
  [string, string, string, string, string, string, string, string]
> = {
  es: [
    'idioma español',
    'ayuda',
    'minutos',
    'busca',
    'inglés',
    'elimina',
    'tráela de vuelta porfa',
    'pásame el link',
  ],
  hi: ['भाषा हिन्दी', 'मदद', 'मिनट', 'खोजें', 'अंग्रेज़ी', 'हटाओ', 'wapas lao', 'link bhej do'],
  en: [
    'language English',
    'help',
    'minutes',
    'find',
    'English',
    'delete',
    'oops bring it back',
    'can i get a link for my boss',
  ],
  pt: [
    'idioma português',
    'ajuda',
    'minutos',
    'busca',
    'inglês',
    'apaga',
    'traz de volta',
    'me manda o link',
  ],
  fr: [
    'langue français',
    'aide',
    'minutes',
    'cherche',
    'anglais',
    'supprime',
    'remets la stp',
    'envoie moi le lien',
  ],
  it: ['lingua italiano', 'aiuto', 'minuti', 'cerca', 'inglese', 'elimina', 'rimettila', 'mandami il link'],
  id: [
    'bahasa Indonesia',
    'bantuan',
    'menit',
    'cari',
    'Inggris',
    'hapus',
    'balikin dong',
    'minta linknya dong',
  ],
}

test.each(Object.keys(WORDS) as (keyof typeof WORDS)[])(
  'when a person writes in %s what comes to mind, then it is understood',
  language => {
    const [own, help, minutes, find, inEnglish, remove, undo, share] = WORDS[language]
    const read = (text: string, isQuoting = false) => commandIn(text, { language, isQuoting })
    expect([own, help, minutes, `${find} moon`, undo].map(text => read(text))).toEqual([
      { name: 'language', uiLanguage: language },
      'help',
      'minutes',
      { name: 'find', words: 'moon' },
      { name: 'undo' },
    ])
    expect([inEnglish, remove, share].map(text => read(text, true))).toEqual([
      { name: 'again', language: 'en' },
      { name: 'delete' },
      { name: 'share' },
    ])
  },
)
