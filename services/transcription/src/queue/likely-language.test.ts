import { join } from 'node:path'
import { folderOfTests, startOpenAiFake, tone } from '@voxscribe/speech/testing'
import type { NoteRecord } from '../note/record.ts'
import { startDesk } from '../testing.ts'
import { likelyLanguageIn } from './likely-language.ts'

const folder = folderOfTests()
/** Languages that the engine detects next; none if it is unsure. */
const answer = { body: { text: 'si', languages: [] as { code: string }[] } }
const fake = await startOpenAiFake(answer)
const desk = await startDesk({
  SPEECH_ENGINE: 'openai',
  OPENAI_API_KEY: 'k',
  OPENAI_BASE_URL: fake.baseUrl,
})
afterAll(async () => {
  await desk.stop()
  await fake.stop()
})

let notes = 0

/** Returns the language of a new note of this person. */
async function languageOf(
  userId: string,
  facts: { named?: string; language?: string; country?: string; seconds?: number } = {},
): Promise<string> {
  const { named, seconds = 1, ...rest } = facts
  answer.body.languages = named ? [{ code: named }] : []
  const path = await tone(join(folder, `${seconds}.wav`), seconds)
  notes += 1
  return (await desk.complete(path, { userId, fileName: `${notes}.wav`, ...rest })).done.language
}

test('when most of the last five notes were in one language, then a short unsure one is, too', async () => {
  for (const named of ['en', 'de', 'es', 'es', 'en', 'es']) await languageOf('most', { named })
  expect(await languageOf('most', { country: 'FR' })).toBe('es')
})

test('when no language leads, then that of the country counts', async () => {
  for (const named of ['en', 'es']) await languageOf('half', { named })
  expect(await languageOf('half', { country: 'FR' })).toBe('fr')
})

test.each([
  ['Norway', 'NO', 'no'],
  ['the Philippines', 'PH', 'tl'],
  ['Brazil', 'BR', 'pt'],
  ['a country without any', undefined, 'auto'],
])('when it is a first note from %s, then it is in its language', async (name, country, language) => {
  expect(await languageOf(name, country ? { country } : {})).toBe(language)
})

test('when there are 5 s of speech, or the engine names the language, then nothing is guessed', async () => {
  expect(await languageOf('sure', { country: 'FR', seconds: 5 })).toBe('auto')
  expect(await languageOf('named', { country: 'FR', named: 'pt' })).toBe('pt')
})

test('when the person chose the language, then nothing is guessed', async () => {
  expect(await languageOf('chose', { country: 'FR', language: 'de' })).toBe('auto')
})

test('when a language was guessed, then the engine was asked once a note', async () => {
  const before = fake.received.length
  expect(await languageOf('once', { country: 'DE' })).toBe('de')
  expect(fake.received).toHaveLength(before + 1)
})

test.each([
  ['in which the person has spoken', 'en', ['es', 'en', 'es'], 'en'],
  ['of the person’s country', 'fr', ['es', 'en', 'es'], 'fr'],
  ['of the person’s pages', 'de', ['es', 'en', 'es'], 'de'],
  ['that is new to the person', 'ta', ['es', 'en', 'es'], 'es'],
  ['at a first note', 'ta', [], 'fr'],
])(
  'when an engine guesses a language %s, then the likely one is known',
  async (_what, guess, spoken, likely) => {
    let reads = 0
    const lastLanguages = async () => {
      reads += 1
      return spoken
    }
    const likelyLanguage = likelyLanguageIn({ country: 'FR', uiLanguage: 'de' } as NoteRecord, {
      lastLanguages,
    })
    expect([await likelyLanguage(guess), await likelyLanguage(guess)]).toEqual([likely, likely])
    expect(reads).toBe(1)
  },
)
