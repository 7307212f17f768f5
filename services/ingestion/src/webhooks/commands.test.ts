import { languages } from '@voxscribe/contracts/languages'
import { UI_LANGUAGES } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { commandIn, saysNo } from './commands.ts'

test.each([
  ['help', ['help', ' HELP! ', 'Ayuda', 'ajuda', 'Aide', 'Hilfe?', 'aiuto', 'Bantuan', 'मदद', 'مُساعَدة']],
  ['minutes', ['minutes', 'Minutos', 'Minuten.', 'minuti', 'MENIT', 'मिनट', 'دقائق']],
  [
    'hint',
    [
      'hello',
      'hola',
      '?',
      'help me please',
      'no',
      '1',
      'नमस्ते',
      '你好',
      'VX',
      '‮pleh',
      'es',
      'delete srt',
      'finding',
    ],
  ],
  [
    null,
    [
      'Thanks!',
      'thank  you',
      'OBRIGADA',
      'Danke schön',
      'धन्यवाद',
      'شُكرًا',
      '👍🏽',
      '❤️🙏',
      'Thanks ❤️',
      ' ',
      '...',
    ],
  ],
])('when it is one of these texts, then the command is %s', (command, texts) => {
  for (const text of texts) expect([text, commandIn(text)]).toEqual([text, command])
})

const again = (language: string) => ({ name: 'again', language })
const find = (words: string) => ({ name: 'find', words })
const language = (uiLanguage?: string) => ({ name: 'language', uiLanguage })
const format = (format: string) => ({ name: 'export', format })

const translate = (language: string) => ({ name: 'translate', language })

test.each([
  [
    { name: 'summary' },
    ['summary', 'Resumen', 'RESUMO', 'résumé', 'Zusammenfassung!', 'riassunto', 'ringkasan', 'सारांश', 'ملخص'],
  ],
  [translate('en'), ['in english', 'en inglés', 'em inglês', 'en anglais', 'auf Englisch', 'in inglese']],
  [translate('en'), ['dalam bahasa Inggris', 'अंग्रेज़ी में', 'بالإنجليزية', 'إلى الإنجليزية']],
  [translate('es'), ['en español', 'In Spanish.', 'auf spanisch', 'al español']],
  [translate('de'), ['auf deutsch', 'IN GERMAN']],
  ['hint', ['in a minute', 'in', 'en', 'to bed', 'in english please']],
  [again('es'), ['Spanish']],
])('when it is %j, where there is a text model alone', (command, texts) => {
  for (const text of texts) {
    expect([text, commandIn(text, false, true)]).toEqual([text, command])
    const isAgain = typeof command === 'object' && command.name === 'again'
    expect([text, commandIn(text)]).toEqual([text, isAgain ? command : 'hint'])
  }
})

test.each([
  [again('es'), ['Spanish', '¡ESPAÑOL!', 'espanol', 'Espagnol', 'spanyol', 'स्पेनिश', 'الإسبانية', 'اسبانية']],
  [again('hi'), ['Hindi', 'हिन्दी।', 'हिंदी', 'الهندية']],
  [again('zh'), ['中文', 'Chinese.', 'mandarin']],
  [again('pt'), ['Português', 'portugues', 'Portugiesisch']],
  [again('jw'), ['Jawa', 'Javanese']],
  [again('ht'), ['Haitian Creole']],
  [format('srt'), ['srt', 'SRT!', '*srt*']],
  [
    { name: 'delete' },
    [
      'delete',
      'delete 🗑️',
      'Borrar',
      'APAGAR',
      'supprimer',
      'Loschen',
      'lösche!',
      'cancella',
      'hapus',
      'हटाओ',
      'اِحذِف',
    ],
  ],
  [
    { name: 'share' },
    ['share', 'Comparte', 'compartilhar', 'PARTAGE', 'Teilen!', 'condividi', 'bagikan', 'शेयर करें', 'شارِك'],
  ],
  [
    find('Müller'),
    ['find Müller', 'Suche nach „Müller', 'BUSCAR: Müller', 'cari\nMüller', 'खोजें Müller', 'ابحث عن Müller'],
  ],
  [find('Änne’s bill, paid?'), ['Find Änne’s bill, paid?']],
  [find(''), ['find', 'find !!!', 'Cerca…', 'find 🎉']],
  [
    language('es'),
    [
      'language Spanish',
      'Idioma: español',
      'SPRACHE spanisch',
      'bahasa Spanyol',
      'भाषा स्पेनिश',
      'اللغة الإسبانية',
      'language es',
    ],
  ],
  [language('pt'), ['língua português', 'lingua portoghese']],
  [language('id'), ['Bahasa Indonesia']],
  [language(undefined), ['language', 'language Klingon', 'language no', 'langue !']],
  [
    'hint',
    [
      'language is a barrier to me',
      'Polish my shoes',
      'I speak Spanish',
      'a Spanish note',
      'delete it',
      'srt txt',
      'Klingon',
    ],
  ],
])('when it asks for %j, then it is one of these texts', (command, texts) => {
  for (const text of texts) expect([text, commandIn(text)]).toEqual([text, command])
})

test('when the code of a language is written, then it counts in an answer to a message only, and no is no', () => {
  expect([commandIn('ES'), commandIn('ES', true), commandIn('no', true)]).toEqual([
    'hint',
    again('es'),
    'hint',
  ])
})

test('when our texts name a word to write, then it is understood in every language', () => {
  const named = [
    ['• *help*: this list', 'help'],
    ['• *minutes*: how many minutes you have left', 'minutes'],
    ['• *delete*: I’ll delete it', { name: 'delete' }],
    ['• *find* and a word: your newest notes with it', find('')],
    ['• *language* and its name: I’ll write to you in that language', language(undefined)],
    ['• *Spanish*, or another language: I’ll transcribe it again in that language', { name: 'again' }],
  ] as const
  for (const id of UI_LANGUAGES) {
    for (const [text, command] of named) {
      const said = i18nFor(id).t(text)
      const [, word = ''] = /\*(.+?)\*/.exec(said) ?? []
      const read = commandIn(word)
      if (typeof command === 'string') expect([said, read]).toEqual([said, command])
      else expect([said, read]).toMatchObject([said, command])
    }
  }
})

test('when a language is written by its English name, then it is understood, whichever it is', () => {
  for (const { id, label } of languages.slice(1))
    expect([label, commandIn(label)]).toEqual([label, again(id)])
})

test.each([
  [
    true,
    ['NO', 'no.', ' No! ', 'não', 'NÃO', 'nao', 'Non', 'nein!!', 'Tidak', '¡No!', 'नहीं', 'नहीं।', 'لا', 'لا!'],
  ],
  [false, ['', null, 'no thanks', 'Nora', 'yes', '!', 'know']],
])('when saysNo is %s, then for these texts', (expected, texts) => {
  for (const text of texts) expect([text, saysNo(text)]).toEqual([text, expected])
})
