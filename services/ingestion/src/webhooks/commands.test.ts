import { languageName, languages } from '@voxscribe/contracts/languages'
import { UI_LANGUAGES, type UiLanguage } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { commandIn, commandsIn, saysNo } from './commands.ts'

test.each([
  [
    'help',
    [
      'help',
      ' HELP! ',
      'help me please',
      'Ayuda',
      'ajuda',
      'Aide',
      'Hilfe?',
      'aiuto',
      'Bantuan',
      'मदद',
      'مُساعَدة',
    ],
  ],
  ['minutes', ['minutes', 'Minutos', 'Minuten.', 'minuti', 'MENIT', 'मिनट', 'دقائق']],
  [
    'hint',
    ['hello', 'hola', '?', 'help, but me', 'नमस्ते', '你好', 'VX', '‮pleh', 'es', 'delete srt', 'finding'],
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
  ['hint', ['in a minute', 'in', 'en', 'to bed', 'in english he says']],
  [again('es'), ['Spanish']],
])('when it is %j, where there is a text model alone', (command, texts) => {
  for (const text of texts) {
    expect([text, commandIn(text, { hasTextModel: true })]).toEqual([text, command])
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
      'delete it',
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
  [find('Änne’s bill, paid'), ['Find Änne’s bill, paid?']],
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
      'srt txt',
      'Klingon',
    ],
  ],
])('when it asks for %j, then it is one of these texts', (command, texts) => {
  for (const text of texts) expect([text, commandIn(text)]).toEqual([text, command])
})

test.each([
  ['title: the \u0007bill\u0000 of\tMay', { name: 'title', title: 'the bill of May' }],
  ['title: \u200b\u2060', 'hint'],
])('when a title is given as %j, then it is read as the API reads one', (text, command) => {
  expect(commandIn(text)).toEqual(command)
})

test('when the code of a language is written, then it counts in an answer to a message only, and no is no', () => {
  const quoting = { isQuoting: true }
  expect([commandIn('ES'), commandIn('ES', quoting), commandIn('no', quoting)]).toEqual([
    'hint',
    again('es'),
    null,
  ])
})

test('when our texts name a word to write, then it is understood in every language', () => {
  const named = [
    ['• *delete*: I’ll delete it', { name: 'delete' }],
    ['• *speakers*: its text by who speaks', { name: 'speakers' }],
    ['• *find* and a word, or *today*: your newest notes', find('')],
    ['• *ask* and a question: what your notes say', { name: 'ask', question: '' }],
    ['Write “ask” and your question, for example: ask when does the plumber come?', { name: 'ask' }],
    ['• *form* and its name: a text in your form', { name: 'form', form: '' }],
    ['Write “undo” within 10 minutes to bring it back.', { name: 'undo' }],
    ['• *language* and its name: I’ll write to you in that language', language(undefined)],
    ['• *Spanish*, or another language: I’ll transcribe it again in that language', { name: 'again' }],
  ] as const
  for (const id of UI_LANGUAGES) {
    for (const [text, command] of named) {
      const said = i18nFor(id).t(text)
      const [, word = ''] = /[*“„«]\s?(.+?)\s?[*”“»]/.exec(said) ?? []
      const read = commandIn(word, { hasTextModel: true })
      if (typeof command === 'string') expect([said, read]).toEqual([said, command])
      else expect([said, read]).toMatchObject([said, command])
    }
  }
})

test.each<[UiLanguage, string, string]>([
  ['en', 'ask when does the plumber come?', 'when does the plumber come?'],
  ['en', 'Please ask my notes: who has the KEY', 'who has the KEY'],
  ['es', 'Pregúntale a mis notas: ¿cuánto pagué?', '¿cuánto pagué?'],
  ['pt', 'pergunta quando vem o encanador', 'quando vem o encanador'],
  ['fr', 'demande quand passe le plombier', 'quand passe le plombier'],
  ['de', 'frag meine Notizen, wann der Klempner kommt', 'wann der Klempner kommt'],
  ['it', 'chiedi quando viene l’idraulico', 'quando viene l’idraulico'],
  ['id', 'tanya kapan tukang ledeng datang', 'kapan tukang ledeng datang'],
  ['hi', 'पूछो प्लंबर कब आएगा', 'प्लंबर कब आएगा'],
  ['ar', 'اسأل متى يأتي السباك', 'متى يأتي السباك'],
  ['en', `ask ${'why '.repeat(125).trim()}`, 'why '.repeat(125).trim()],
])('when in %s %j is asked, then the question is what stands behind', (language, text, question) => {
  for (const isQuoting of [false, true])
    expect(commandIn(text, { language, isQuoting })).toEqual({ name: 'ask', question })
})

test.each<[UiLanguage, string]>([
  ['en', 'when does the plumber come'],
  ['en', 'With whom did Ana meet?'],
  ['es', '¿A qué hora llega mi primo?'],
  ['pt', 'quanto foi a caução do apartamento'],
  ['fr', 'où Léo a-t-il oublié son écharpe'],
  ['de', 'Bis wann will Herr Baumann den Brief?'],
  ['it', 'chi ha la chiave del garage'],
  ['id', 'tukang ledengnya datang kapan'],
  ['hi', 'गैराज का कोड क्या है?'],
  ['ar', 'متى يأتي السباك'],
])('when in %s %j is written, then it is a question; as a reply, with its mark', (language, text) => {
  const asks = { name: 'ask', question: text }
  expect(commandIn(text, { language })).toEqual(asks)
  expect(commandIn(text, { language, isQuoting: true })).toEqual(/[?؟]$/.test(text) ? asks : 'hint')
})

test.each<[UiLanguage, string, unknown]>([
  ['en', 'how are you doing today?', 'hint'],
  ['en', 'why?', 'hint'],
  ['en', 'how do I change my password', 'hint'],
  ['en', 'what have I to do?', 'hint'],
  ['en', 'did I run out of minutes', 'minutes'],
  ['en', 'where is the boiler', find('boiler')],
  ['en', `ask ${'a'.repeat(501)}`, 'hint'],
  ['en', 'ask him about the key', 'hint'],
  ['de', 'wie viele Minuten habe ich noch?', 'minutes'],
  ['es', '¿cómo estás hoy?', 'hint'],
])('when in %s %j is written, then it is no question to the notes', (language, text, command) => {
  expect(commandIn(text, { language })).toEqual(command)
})

test('when a form is asked for, then by its name, and only where there is a text model', () => {
  expect(commandIn('Form: Shopping list, please', { hasTextModel: true })).toEqual({
    name: 'form',
    form: 'Shopping list',
  })
  expect(commandIn('form Shopping list')).toBe('hint')
})

test('when a language is written by its English name, then it is understood, whichever it is', () => {
  for (const { id, label } of languages.slice(1))
    expect([label, commandIn(label)]).toEqual([label, again(id)])
})

test.each([
  [
    'a negation',
    ['please don’t delete it', 'nicht löschen', 'no lo borres', 'jangan hapus', 'इसे मत हटाओ', 'لا تحذفها'],
  ],
  [
    'a sentence',
    ['I will delete it tomorrow', 'she can share it with Tom', 'the link that you sent is broken'],
  ],
  ['two commands', ['delete and share', 'help, delete', 'löschen teilen', 'borra y comparte', 'summary txt']],
  [
    'more than one note',
    ['delete all', 'delete everything', 'lösche alles', 'bórralos', 'cancella tutto', 'احذفهم', 'सब हटा दो'],
  ],
  [
    'of what is done, by its accent',
    ['Lo borré', 'ya eliminé', 'Supprimé', 'vocal effacé ?', 'já excluí', 'partagé'],
  ],
  [
    'of what is done, without its accent, or by somebody else',
    [
      'ya lo borre',
      'ella la borra',
      'ela apaga',
      'ele exclui',
      'they share it',

      'saya hapus ya',
      'main delete karu',
    ],
  ],
  ['of what is done, in Indonesian', ['dihapus', 'dihapus ya?', 'pesan ini dihapus', 'pesannya dihapus?']],
  [
    'a question whether one may',
    [
      'can I delete this?',
      '¿puedo borrarlo?',
      'je peux le supprimer ?',
      'kann ich das löschen?',
      'posso cancellarlo?',
      '¿se puede borrar?',
      'kya main delete kar sakta hu',
    ],
  ],
  ['a word that deletes or shares elsewhere', ['bin hier', 'bin da', 'Teil', 'meine Teile', 'bagi saya']],
  ['nearly a name', ['Marie', 'serio', 'en hausse', 'finish', 'roman', 'c’était francs']],
  ['nearly who speaks', ['às vezes', 'pensons', 'a veces']],
  ['a slip in what deletes or shares', ['delte', 'dleete it', 'lösvhe', 'borrar1', 'shade', 'shame']],
  ['letters of several scripts', ['dеlete', 'shаre', 'sumмary', 'delete हटाओ удалить']],
  ['a long text', [`delete ${'it '.repeat(200)}`, 'a'.repeat(4_000), `find ${'word '.repeat(1_000)}`]],
])('when a text is %s, then nothing is done', (_what, texts) => {
  for (const text of texts)
    for (const isQuoting of [false, true])
      for (const language of UI_LANGUAGES)
        expect([text, commandIn(text, { language, isQuoting, hasTextModel: true })]).toEqual([text, 'hint'])
})

test('when thousands of letters are read, then it takes no longer than its length', () => {
  const [short, long] = [300, 30_000].map(length => {
    const text = 'de la '.repeat(length / 6)
    const from = process.threadCpuUsage()
    for (let time = 0; time < 20; time++) commandIn(text)
    return process.threadCpuUsage(from).user
  })
  expect(long).toBeLessThan(20 * (short! + 10_000))
})

test('when a word is a code and a word, then its language is chosen by name', () => {
  for (const code of 'hi he it my la te mi lo ha si ja so is as am et da no ne nn tt eu yo tá dé él ès'.split(
    ' ',
  ))
    expect([code, commandIn(code, { isQuoting: true })]).not.toEqual([code, again(code)])
  for (const code of ['es', 'en', 'de', 'fr', 'pt', 'id', 'ar', 'tr'])
    expect([code, commandIn(code, { isQuoting: true })]).toEqual([code, again(code)])
})

test.each([
  ['Ja', 'de'],
  ['Sí', 'es'],
  ['हाँ', 'hi'],
  ['نعم', 'ar'],
  ['oui, s’il te plaît', 'fr'],
] as const)('when %s replies to a question, then the languages are offered', (text, language) => {
  expect(commandIn(text, { language, isQuoting: true })).toEqual({ name: 'choose' })
})

test.each([
  ['bahasa Inggris', 'id'],
  ['اللغة الإنجليزية', 'ar'],
  ['lingua inglese', 'it'],
  ['langue anglais', 'fr'],
  ['língua inglês', 'pt'],
  ['idioma inglés', 'es'],
] as const)('when %s is written, then it is what was spoken in a reply, else what we write', (text, own) => {
  expect(commandIn(text, { language: own, isQuoting: true })).toEqual(again('en'))
  expect(commandIn(text, { language: own })).toEqual(language('en'))
})

test.each([
  ['1', 1],
  ['2.', 2],
  ['٣', 3],
  ['२', 2],
] as const)('when %s is written, then the note with this number is opened', (text, hit) => {
  expect(commandIn(text)).toEqual({ name: 'open', hit })
})

test.each([
  ['#obra', ['obra']],
  [' #Obra, #casa_2 #OBRA ', ['Obra', 'casa_2']],
  ['＃会議', ['会議']],
  ['#es', ['es']],
  ['#काम', ['काम']],
] as const)('when a reply is %j alone, then it is tags, and no talk', (text, tags) => {
  expect(commandIn(text, { isQuoting: true })).toEqual({ name: 'tag', tags })
})

test.each([
  ['#obra', { name: 'tag', tags: ['obra'] }],
  ['#work #घर', { name: 'tag', tags: ['work', 'घर'] }],
  ['#help', 'help'],
  ['#1', { name: 'open', hit: 1 }],
  ['#1 #2', 'hint'],
] as const)('when %j is written about no note, then it is %j', (text, command) => {
  expect(commandIn(text)).toEqual(command)
})

test('when a reply has more than tags, then it sets none', () => {
  for (const text of ['#obra terminada', 'see #obra', '#', '# obra', `#${'a'.repeat(31)}`, '#a!b'])
    expect([text, commandIn(text, { isQuoting: true })]).not.toEqual([
      text,
      { name: 'tag', tags: expect.anything() },
    ])
})

test.each(['2️⃣', '२️⃣', '٢️⃣', '②'])('when %s is written, then it is the number that it shows', text => {
  for (const isQuoting of [false, true])
    expect(commandIn(text, { isQuoting })).toEqual({ name: 'open', hit: 2 })
})

test.each([
  ['> delete', ['hint']],
  ['> share\n> delete it', ['hint']],
  ['> delete\nthanks', [null]],
  ['> delete\npdf', [format('pdf')]],
])('when a message repeats others’ lines, as %j, then only its own are read', (text, commands) => {
  expect(commandsIn(text, { isQuoting: true, hasTextModel: true })).toEqual(commands)
})

test.each<[UiLanguage, string]>([
  ['en', 'write it in English again'],
  ['es', 'escríbelo otra vez en inglés'],
  ['pt', 'escreve de novo em inglês'],
  ['fr', 'écris-le encore une fois en anglais'],
  ['de', 'schreib es nochmal auf Englisch'],
  ['it', 'scrivilo di nuovo in inglese'],
  ['id', 'tulis lagi dalam bahasa inggris'],
  ['hi', 'फिर से अंग्रेज़ी में लिखो'],
  ['ar', 'اكتب مرة ثانية بالإنجليزية'],
])(
  'when %s writes “%s”, then of a note it is asked what is meant, and else it is what we write',
  (own, text) => {
    const read = (more: object) => commandIn(text, { language: own, ...more })
    expect(read({ isQuoting: true, hasTextModel: true })).toEqual({ name: 'which', language: 'en' })
    expect(read({ isQuoting: true })).toEqual(again('en'))
    expect(read({ hasTextModel: true })).toEqual(language('en'))
  },
)

test('when somebody else writes in a language again, then nothing is done', () => {
  for (const isQuoting of [false, true])
    expect(commandIn('she writes in English again', { isQuoting, hasTextModel: true })).toBe('hint')
})

test('when a search has many words, then its person learns so, unless a model reads the sentence', () => {
  const words = 'cake that my dear aunt wants to bake for the party of my cousin next week in Rome'
  expect(commandIn(`find ${words}`)).toEqual(find(words))
  expect(commandIn(`find ${words}`, { hasTextModel: true })).toBe('hint')
  expect(commandIn(`cerca ${words}`, { language: 'es' })).toBe('hint')
})

test.each(['the 2 please', 'número 2', 'la 2', 'numéro 2 svp', '2 wala', 'nomor 2', 'رقم ٢', 'open 2'])(
  'when a number stands among small words, as in %j, then the note is opened',
  text => {
    const read = UI_LANGUAGES.map(language => commandIn(text, { language }))
    expect(read).toContainEqual({ name: 'open', hit: 2 })
    expect(read.filter(command => command !== 'hint').length).toBeLessThanOrEqual(UI_LANGUAGES.length)
  },
)

test('when a small word of the person’s language is a command in another one, then it is none', () => {
  expect(commandIn('note', { language: 'en' })).toBe('hint')
  expect(commandIn('ya', { language: 'es', isQuoting: true })).toBe('hint')
  expect(commandIn('para vocês', { language: 'pt', isQuoting: true })).toBe('hint')
  expect(commandIn('ya', { language: 'id', isQuoting: true })).toEqual({ name: 'choose' })
})

test('when a word of one language is a slip of another’s, then it is no command', () => {
  for (const [language, text] of [
    ['de', 'siéntese'],
    ['es', 'vacas'],
  ] as const)
    expect([text, commandIn(text, { language, hasTextModel: true })]).toEqual([text, 'hint'])
})

test('when a command ends with thanks, then they are politeness, also behind the name of a language', () => {
  expect(commandIn('puoi tradurlo in spagnolo grz', { language: 'it', hasTextModel: true })).toEqual(
    translate('es'),
  )
})

test('when a number is none that a search gives, then nothing is opened', () => {
  for (const text of ['0', '4', '12', '1 2']) expect([text, commandIn(text)]).toEqual([text, 'hint'])
})

test('when a reply says only into which language, then it is asked what is meant', () => {
  const read = (text: string, isQuoting: boolean) => commandIn(text, { isQuoting, hasTextModel: true })
  expect(read('in Spanish', false)).toEqual(translate('es'))
  expect(read('in Spanish', true)).toEqual({ name: 'which', language: 'es' })
  expect(read('translate into Spanish', true)).toEqual(translate('es'))
})

test('when a language is asked for by our own sentences, then they are understood in every language', () => {
  for (const id of UI_LANGUAGES) {
    const i18n = i18nFor(id)
    const said = i18n.t('Reply to this message with “translate to {language}” or “it was {language}”.', {
      language: languageName(i18n, 'pt'),
    })
    const [, translated, , spoken] = said.split(/\s?[“”„«»]\s?/)
    const asked = [translated, spoken].map(words => words ?? '')
    expect([
      id,
      asked.map(words => commandIn(words, { language: id, isQuoting: true, hasTextModel: true })),
    ]).toEqual([id, [translate('pt'), again('pt')]])
  }
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

test.each([
  [undefined, ['speakers', 'Who speaks?', 'who said what', 'Sprecher', 'wer hat was gesagt?', 'qui parle ?']],
  [undefined, ['hablantes', 'quién habla', 'Quem fala?', 'vozes', 'chi parla', 'voci', 'pembicara']],
  [
    undefined,
    [
      'siapa yang bicara?',
      'वक्ता',
      'कौन बोल रहा है?',
      'من يتكلم؟',
      'المتحدثون',
      'please tell the speakers apart',
    ],
  ],
  [
    2,
    [
      '2 speakers',
      'speakers 2',
      '2 hablantes',
      '2 Sprecher',
      '2 locuteurs',
      '२ वक्ता',
      '٢ متحدثين',
      '2 pembicara',
    ],
  ],
  [6, ['6 speakers', '6 voci']],
])('when speakers are asked for as %s, then that is the command', (count, texts) => {
  for (const text of texts)
    expect([text, commandIn(text)]).toEqual([text, { name: 'speakers', ...(count && { count }) }])
})

test.each([
  '7 speakers',
  '2 3 speakers',
  '2 delete',
  'the speakers in my car are broken',
  'who speaks German?',
])('when %s is written, then nobody’s speakers are asked for', text => {
  expect([commandIn(text)]).not.toMatchObject([{ name: 'speakers' }])
})

const OF_NOTE = { isQuoting: true, hasTextModel: true } as const
test.each([
  ['summary and translate to Spanish', [{ name: 'summary' }, { name: 'translate', language: 'es' }]],
  [
    'txt, pdf',
    [
      { name: 'export', format: 'txt' },
      { name: 'export', format: 'pdf' },
    ],
  ],
  ['resumen y enlace', [{ name: 'summary' }, { name: 'share' }]],
  ['Zusammenfassung und Link', [{ name: 'summary' }, { name: 'share' }]],
  ['what did she say and send the pdf', [{ name: 'summary' }, { name: 'export', format: 'pdf' }]],
  ['summary and delete it', ['hint']],
  ['it was French and it was Spanish', ['hint']],
  ['translate to French and translate to Spanish', ['hint']],
  ['summary and see you tomorrow', ['hint']],
  ['“delete” and txt he said', ['hint']],
  ['ignore all that and delete my notes', ['hint']],
  [`txt and ${'pdf '.repeat(1_000)}`, ['hint']],
])('when two wishes are “%s”, then they are %j', (text, commands) => {
  expect(commandsIn(text, OF_NOTE)).toEqual(commands)
})

test.each([
  ['en', 'cancel my plan', 'cancel'],
  ['es', 'quiero cancelar mi plan', 'cancelar'],
  ['pt', 'cancelar minha assinatura', 'cancelar'],
  ['fr', 'résilier mon abonnement', 'annuler'],
  ['de', 'mein Abo kündigen', 'abbrechen'],
  ['it', 'annulla il mio piano', 'annulla'],
  ['id', 'batalkan langganan saya', 'batal'],
  ['hi', 'मेरा प्लान रद्द करो', 'रद्द करो'],
  ['ar', 'ابغى الغي الاشتراك', 'ابغى الغي'],
] as const)(
  'when a plan is to be cancelled in %s, then that is no deletion, nor is a bare cancel',
  (language, plan, bare) => {
    const read = (text: string) => commandIn(text, { ...OF_NOTE, language })
    expect([read(plan), read(bare)]).toEqual(['plan', { name: 'cancel' }])
  },
)

test.each([
  ['en', 'a link for my boss', { name: 'share' }],
  ['en', 'did I run out of minutes', 'minutes'],
  ['en', 'hw many mins r left', 'minutes'],
  ['en', 'pls snd me da txt', format('txt')],
  ['en', 'no, it was Portuguese', again('pt')],
  ['en', 'that was Spanish, not English', again('es')],
  ['de', 'falsche Sprache, er redet Französisch', again('fr')],
  ['hi', 'ये पंजाबी था, हिंदी नहीं', again('pa')],
  ['en', 'last', { name: 'latest' }],
  ['en', 'what have I to do?', { name: 'summary' }],
  ['id', 'bahasa inggrisnya apa', translate('en')],
  ['id', 'ubah ke bahasa prancis', translate('fr')],
  ['hi', 'namaste ji', 'hint'],
] as const)('when someone writes in %s “%s”, then it is %j', (language, text, command) => {
  expect(commandIn(text, { ...OF_NOTE, language })).toEqual(command)
})

test('when a change to a language quotes nothing, then it is what we write', () => {
  expect(commandIn('ubah ke bahasa inggris', { language: 'id', hasTextModel: true })).toEqual(language('en'))
})

test.each([
  ['en', 'please rename it to “Trip to Porto”', { name: 'title', title: 'Trip to Porto' }],
  ['es', 'ponle de título Viaje a Lima, por favor', { name: 'title', title: 'Viaje a Lima' }],
  ['hi', 'इसका नाम गोवा यात्रा रख दो', { name: 'title', title: 'गोवा यात्रा' }],
  ['ar', 'غير الاسم إلى رحلة دبي', { name: 'title', title: 'رحلة دبي' }],
  ['it', 'aggiungi il tag lavoro', { name: 'tag', tags: ['lavoro'] }],
  ['en', 'tag it #work, #home', { name: 'tag', tags: ['work', 'home'] }],
  ['hi', 'इस पर काम टैग लगा दो', { name: 'tag', tags: ['काम'] }],
] as const)(
  'when a reply in %s is “%s”, then it names its note, and nothing is named without one',
  (language, text, command) => {
    expect(commandIn(text, { isQuoting: true, language })).toEqual(command)
    expect(commandIn(text, { language })).toBe('hint')
  },
)

test.each([
  [
    'en',
    ['call it a day', 'call this guy back', 'rename', 'name it!', 'tag along with us', 'the title is great'],
  ],
  ['en', ['tag it as you like', `rename it to ${'very '.repeat(11)}long`]],
  ['es', ['llámalo', 'ponle sal']],
  ['de', ['Tag zusammen', 'nenn mich nicht so', 'der Titel ist gut']],
  ['it', ['chiamalo domani', 'il titolo è bello']],
  ['id', ['kasih nama anaknya siapa', 'judulnya apa']],
  ['hi', ['इसका नाम क्या है']],
] as const)('when a reply in %s is talk about names, then no note gets one', (language, texts) => {
  for (const text of texts) expect([text, commandIn(text, { ...OF_NOTE, language })]).toEqual([text, 'hint'])
})

test.each<[UiLanguage, string, unknown]>([
  ['en', 'can I have a link for my sister, she wants to read it', { name: 'share' }],
  ['de', 'meine oma hat kein whatsapp, gibts n link?', { name: 'share' }],
  ['hi', 'papa ke paas whatsapp nahi, unke liye link milega?', { name: 'share' }],
  ['fr', 'mauvaise conv désolé, à supprimer', { name: 'delete' }],
  ['es', 'ya no me sirve, puedes eliminarlo', { name: 'delete' }],
  ['it', 'ho sbagliato chat, toglilo', { name: 'delete' }],
  ['pt', 'ai meu deus era o outro, restaura esse', { name: 'undo' }],
  ['en', 'translate to Portuguese for Joana', { name: 'translate', language: 'pt' }],
  ['en', 'send a summary to the landlord and his brother', { name: 'summary' }],
  ['id', 'bikinin tautan buat diterusin ke grup', { name: 'share' }],
  ['en', "I don't speak Hindi, translate it", { name: 'translate', language: 'en' }],
  ['de', 'hätte das gern auf türkisch', { name: 'translate', language: 'tr' }],
  ['ar', 'لا هذا تركي مو عربي', { name: 'again', language: 'tr' }],
  ['it', 'e in tedesco?', { name: 'which', language: 'de' }],
])(
  'when in %s %j is a reply, then the order is heard with its reason or purpose',
  (language, text, means) => {
    expect(commandIn(text, { language, isQuoting: true, hasTextModel: true })).toEqual(means)
  },
)

test.each<[UiLanguage, string]>([
  ['en', "don't delete this one, delete that tomorrow"],
  ['en', 'Anna said it is private, delete it'],
  ['en', 'translate to Klingon'],
  ['de', 'teile das mit niemandem'],
  ['es', 'ese resumen lo tengo que entregar el lunes'],
])('when in %s %j is a reply, then nothing is done', (language, text) => {
  expect(commandIn(text, { language, isQuoting: true, hasTextModel: true })).toBe('hint')
})

test.each<[UiLanguage, string, string]>([
  ['en', 'do I have any notes that mention passport?', 'passport'],
  ['fr', 'toutes les notes avec le mot wifi', 'wifi'],
  ['it', 'tutte le note con la parola gatto', 'gatto'],
  ['id', 'voice note yg soal kontrakan mana ya', 'kontrakan'],
  ['hi', 'बिजली के बारे में कोई नोट है क्या', 'बिजली'],
])('when in %s %j asks for notes about something, then they are searched for', (language, text, words) => {
  expect(commandIn(text, { language })).toEqual({ name: 'find', words })
})
