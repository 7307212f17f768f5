import { globSync, readdirSync, readFileSync } from 'node:fs'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { compile } from './compile.ts'
import { UI_LANGUAGES } from './i18n.ts'
import { bareIn, countedIn, isHalfPlural, messageOf, undeclared, unitsIn } from './testing/faults.ts'

const folder = new URL('../catalogues/', import.meta.url)
const read = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'))

/** Returns the names of a message's placeholders and the tags around its words, in any order. */
function marksOf(message: string): string[] {
  const names = (tokens: unknown): string[] =>
    (Array.isArray(tokens) ? tokens : []).flatMap(token =>
      Array.isArray(token)
        ? [String(token[0]), ...Object.values(token[2] ?? {}).flatMap(branch => names(branch))]
        : [],
    )
  return [
    ...new Set([...names(compileMessageOrThrow(message)), ...(message.match(/<\/?\d+\/?>/g) ?? [])]),
  ].sort()
}

/** Joins neighboring strings, but keeps texts with `#` apart. */
const joined = (tokens: unknown) => JSON.stringify(tokens).replaceAll('#","', '#').replaceAll('","#', '#')

test('when a language is spoken, then it has a catalogue', () => {
  const files = readdirSync(folder).map(name => name.replace('.json', ''))
  expect(files.sort()).toEqual(UI_LANGUAGES.filter(language => language !== 'en').sort())
})

/** Digits that aren't one of our limits: tags, names, the order of steps, claims about engines. */
const NO_LIMITS = /<\/?\d+\/?>|(?:^|\{)\d\. |MP[34]|M4A|n8n|SHA-256|\(410\)|50\+(?=(?:<\/0>)? languages)/g

test('when a text has a figure, then it is a value, which limits and plans may change', () => {
  expect(Object.keys(read('de')).filter(text => /\d/.test(text.replace(NO_LIMITS, '')))).toEqual([])
})

test('when a text counts something, then a plural or Intl says how', () => {
  expect(Object.keys(read('de')).filter(text => unitsIn(text).length || countedIn(text).length)).toEqual([])
  expect(Object.keys(read('de')).filter(isHalfPlural)).toEqual([])
})

test('when several files use a message, then it means the same in each, or has contexts', () => {
  const folders = [
    'packages/contracts/src',
    'packages/speech/src',
    'services/notification/src',
    'services/transcription/src',
    'web/src',
  ]
  const files = globSync(`{${folders.join()}}/**/*.{ts,tsx}`).filter(path => !/\.test\.|testing\//.test(path))
  const sources = new Map(files.map(path => [path, readFileSync(path, 'utf8')]))
  const meanings = JSON.parse(readFileSync(new URL('../meanings.json', import.meta.url), 'utf8'))
  expect(undeclared(sources, meanings)).toEqual([])
  expect(Object.keys(meanings).filter(id => !Object.hasOwn(read('de'), id))).toEqual([])
})

test('when a text in Arabic has something else in it, then that is isolated, and turns nothing round', () => {
  expect(Object.values(read('ar')).filter(text => bareIn(text).length)).toEqual([])
})

/** Forms of address that aren't ours: page, chat and mail speak as person to person (de `du`, fr `vous`, hi `आप`). */
const OTHER_ADDRESS: Record<string, RegExp> = {
  de: /(?<![.!?:„“] )(?<!^)\b(?:Ihr|Ihre[mnrs]?|Ihnen)\b|\b(?:können|haben|sind|müssen|möchten|bitte|finden|senden|wählen) Sie\b/,
  fr: /(?<!\p{L})(?:tu|toi|ta|tes|tiens|veux|t’(?:as|es|en))(?!\p{L})/iu,
  es: /(?<!\p{L})(?:usted|ustedes|envíe|escriba|responda|elija|haga|pulse)(?!\p{L})/iu,
  it: /(?<!^)(?<![.!?] )\b(?:Lei|Suoi?|Sua|Sue)\b|\b(?:scriva|scelga|prema)\b/,
  pt: /(?<!\p{L})(?:tu|teus?|tuas?|contigo|senhora?)(?!\p{L})/iu,
  id: /\b(?:kamu|kau|engkau)\b/i,
  hi: /(?<!\p{L}|\p{M})(?:तुम|तू|तेर[ाी]|तुम्हार[ाीे]|तुझे|भेजो|लिखो|चुनो|देखो|हटाओ)(?!\p{L}|\p{M})/u,
  ar: /(?<!\p{L})(?:أنتِ|أنتم|حضرتك|لديكم|حسابكم|رسالتكم)(?!\p{L})/u,
}

/** Words for note, chat and account that aren't ours, and forms of another country: one thing has one name. */
const OTHER_NAMES: Record<string, RegExp> = {
  de: /Notiz/,
  fr: /(?<!\p{L})(?:notes?|chat)(?!\p{L})/iu,
  es: /vídeo|coche|«/i,
  it: /(?<!\p{L})nota(?!\p{L})|e-mail/iu,
  pt: /(?<!\p{L})(?:notas?|chat|ficheiro|excluíd[ao]|exclua)(?!\p{L})| a ser |novamente/iu,
  id: /catatan|obrolan|berkas|kode tautan/i,
  hi: /(?<!\p{L}|\p{M})(?:नोट|खाता|संदेश|उपयोगकर्ता|सहेज\p{M}*)(?!\p{L}|\p{M})/u,
  ar: /ملاحظ|واتساب|محادث/,
}

/** Punctuation that breaks a language's rules: French uses non-breaking spaces, Spanish has signs at both ends. */
const OTHER_SIGNS: Record<string, RegExp> = {
  fr: / [:;?!»]|« /,
  es: /^[^¿]*\?|^[^¡]*!/,
}

describe.each(UI_LANGUAGES.filter(language => language !== 'en'))('when a text is said in %s', language => {
  const said = Object.entries(read(language))
    .filter(([, text]) => text)
    .map(([id, text]) => [messageOf(id), text] as const)

  test('then our compiler reads it as the one of Lingui does', () => {
    for (const text of said.flat()) expect(joined(compile(text))).toEqual(joined(compileMessageOrThrow(text)))
  })

  test('then it has the placeholders and tags of the English one', () => {
    const wrong = said.filter(([english, text]) => String(marksOf(english)) !== String(marksOf(text)))
    expect(wrong).toEqual([])
  })

  test('then it has no figure and no plus sign that the English one has not', () => {
    const figures = (text: string): string[] => text.replace(/<\/?\d+\/?>/g, '').match(/\d+|\+/g) ?? []
    const spelled = said.filter(([english]) => !/^about (?:half )?a /.test(english))
    const wrong = spelled.filter(([english, text]) =>
      figures(text).some(each => !figures(english).includes(each)),
    )
    expect(wrong).toEqual([])
  })

  test('then no figure stands beside a unit, and no words beside a plural', () => {
    const wrong = said.filter(([, text]) => unitsIn(text).length || isHalfPlural(text))
    expect(wrong).toEqual([])
  })

  test('then it is said to the reader in one way', () => {
    // A friend speaks in the sample note.
    const ours = said.filter(([english]) => !english.startsWith('Hi Nora'))
    expect(ours.filter(([, text]) => OTHER_ADDRESS[language]?.test(text))).toEqual([])
    expect(Object.keys(OTHER_ADDRESS)).toContain(language)
  })

  test('then it has our names of things, and its own signs', () => {
    const names = (text: string) => text.replace(/\{\w+/g, '')
    expect(said.filter(([, text]) => OTHER_NAMES[language]?.test(names(text)))).toEqual([])
    expect(said.filter(([, text]) => OTHER_SIGNS[language]?.test(text))).toEqual([])
    expect(Object.keys(OTHER_NAMES)).toContain(language)
  })

  test('then its plurals have every form that the language needs', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const wrong = said.filter(
      ([, text]) => text.includes(', plural,') && forms.some(form => !text.includes(` ${form} {`)),
    )
    expect(wrong).toEqual([])
  })
})
