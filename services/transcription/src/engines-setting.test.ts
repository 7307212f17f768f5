import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSettings } from '@voxscribe/service'
import { temporaryFolder } from '@voxscribe/speech/testing'
import { transcriptionSettings } from './settings.ts'

const read = (engines: unknown, env = {}) =>
  readSettings(transcriptionSettings, {
    MONGO_URL: 'mongodb://x',
    ENGINES: typeof engines === 'string' ? engines : JSON.stringify(engines),
    ...env,
  })
const GROQ = {
  name: 'groq',
  kind: 'openai',
  url: 'https://api.groq.com/openai/v1',
  model: 'whisper-large-v3',
  keyEnv: 'GROQ_KEY',
}
const OURS = { name: 'ours', kind: 'local', model: 'whisper-base', languages: ['en', 'de'] }
const env = { GROQ_KEY: 'gsk-hush', PASSWORD_OF_ANOTHER: 'hush' }

test('when ENGINES is a list, then it is read with its keys, and nothing else of the environment', () => {
  const settings = read([{ ...GROQ, timeout: '90s' }, OURS], env)
  expect(settings.ENGINES).toEqual([
    { ...GROQ, key: 'gsk-hush', timeout: 90_000 },
    { ...OURS, key: undefined },
  ])
  expect(JSON.stringify(settings)).not.toContain('PASSWORD_OF_ANOTHER')
})

test('when ENGINES is the path of a file, then that is read', async () => {
  const path = join(await temporaryFolder(), 'engines.json')
  await writeFile(path, JSON.stringify([OURS]))
  expect(read(path).ENGINES).toHaveLength(1)
})

test('when a key is in a file, as secrets are mounted, then it is read, or its variable is named', async () => {
  const path = join(await temporaryFolder(), 'key')
  await writeFile(path, 'gsk-hush\n')
  expect(read([GROQ], { GROQ_KEY_FILE: path }).ENGINES).toEqual([{ ...GROQ, key: 'gsk-hush' }])
  expect(() => read([GROQ], { GROQ_KEY_FILE: '/nowhere/key' })).toThrow(
    'entry 1 (groq), keyEnv: GROQ_KEY_FILE: cannot be read (ENOENT)',
  )
})

test('when ENGINES is set, then SPEECH_ENGINE and OPENAI_API_KEY are not asked for', () => {
  expect(read([OURS], { SPEECH_ENGINE: 'openai' }).ENGINES).toHaveLength(1)
})

test.each([
  ['no JSON', '[{', 'ENGINES: is not JSON'],
  ['no file', '/nowhere/engines.json', 'ENGINES: is neither JSON nor a file that can be read (ENOENT)'],
  ['an empty list', [], 'ENGINES: must be a list'],
  ['no list', { name: 'x' }, 'ENGINES: must be a list'],
  ['no object', [7], 'entry 1: must be an object'],
  ['an unknown field', [{ ...OURS, colour: 'red' }], 'entry 1 (ours), colour: is unknown'],
  ['an unknown kind', [OURS, { ...OURS, name: 'b', kind: 'magic' }], 'entry 2 (b), kind: must be one of'],
  ['no name', [{ kind: 'local' }], 'entry 1, name:'],
  ['a doubled name', [OURS, OURS], 'entry 2 (ours), name: is there twice'],
  ['no model', [{ ...GROQ, model: undefined }], 'entry 1 (groq), model: is needed'],
  [
    'no key for a provider',
    [{ name: 'm', kind: 'mistral', model: 'voxtral-mini-2602' }],
    'entry 1 (m), key: is needed',
  ],
  ['two keys', [{ ...GROQ, key: 'x' }], 'entry 1 (groq), keyEnv: cannot be set beside key'],
  ['a bad address', [{ ...GROQ, url: 'groq.com' }], 'entry 1 (groq), url: must be an address'],
  ['an unknown language', [{ ...OURS, languages: ['klingon'] }], 'entry 1 (ours), languages: must be'],
  [
    'a negative price',
    [{ ...GROQ, pricePerMinute: -1 }],
    'entry 1 (groq), pricePerMinute: must be at least 0',
  ],
  ['a bad duration', [{ ...GROQ, timeout: 'soon' }], 'entry 1 (groq), timeout: must be a duration'],
  ['no languages', [{ ...OURS, languages: [] }], 'entry 1 (ours), languages: must be "all" or ids'],
  ['a short part', [{ ...GROQ, maxSeconds: 3 }], 'entry 1 (groq), maxSeconds: must be at least 4'],
  ['a small part', [{ ...GROQ, maxBytes: 9_000 }], 'entry 1 (groq), maxBytes: must be at least 16000'],
  [
    'a server for local',
    [{ ...OURS, url: GROQ.url }],
    'entry 1 (ours), url: is not for local, which runs on',
  ],
  ['a key for sphinx', [{ name: 's', kind: 'sphinx', key: 'x' }], 'entry 1 (s), key: is not for sphinx'],
  ['a name with a space before it', [{ ...OURS, name: ' a' }], 'name: must be up to 40 letters, digits'],
  ['other times', [{ ...GROQ, times: 'minutes' }], 'entry 1 (groq), times: must be words, segments or none'],
])('when ENGINES has %s, then the start stops and names entry and field', (_what, engines, sentence) => {
  expect(() => read(engines, env)).toThrow(sentence)
})

test('when the variable of a key is not set, then the start stops, and no message has a key', () => {
  expect(() => read([GROQ])).toThrow('ENGINES: entry 1 (groq), keyEnv: GROQ_KEY is not set')
  const wrong = [{ ...GROQ, keyEnv: undefined, key: 'gsk-hush', colour: 'red', model: '' }]
  const message = () => {
    try {
      return read(wrong)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(message()).toContain('colour')
  expect(message()).not.toContain('gsk-hush')
  expect(() => read('[{"key": "gsk-hush", ]')).not.toThrow('gsk-hush')
})
