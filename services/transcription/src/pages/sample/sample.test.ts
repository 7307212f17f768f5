import { readFileSync } from 'node:fs'
import { AccountErased, UserRegistered } from '@voxscribe/contracts/events'
import { api, type DataOf } from '@voxscribe/contracts/http'
import { UI_LANGUAGES, type UiLanguage } from '@voxscribe/languages'
import { deskWithSphinx } from '../../testing.ts'
import { sampleRecording } from './sample.ts'

const { desk, note: path } = await deskWithSphinx()

const signUp = (userId: string) =>
  UserRegistered.create({
    ...{ userId, phone: null, phoneClaimedAt: '2026-11-01T10:00:00.000Z', linkCode: 'VX-ABCD' },
    ...{ language: 'auto', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    ...{ uiLanguage: 'en', gists: 'long', revision: 0 },
    registeredAt: '2026-11-01T10:00:00.000Z',
  })
async function listOf(userId: string, query = '', language = 'en') {
  const headers = { 'accept-language': language }
  const { body } = await desk.call('GET', `/transcriptions${query}`, userId, { headers })
  return api.transcriptions.data.parse(body.data) as DataOf<typeof api.transcriptions>
}
const sampleIn = async (...of: Parameters<typeof listOf>) =>
  (await listOf(...of)).transcriptions.find(({ sample }) => sample)

test('when someone signs up, then a sample stands in their list, uncounted, with words, speakers, gist and audio', async () => {
  await desk.bus.publish(signUp('ada'))
  const { transcriptions, statistics, pagination } = await listOf('ada')
  expect(transcriptions).toEqual([expect.objectContaining({ id: 'sample-en', sample: true })])
  expect([statistics.total, pagination.total]).toEqual([0, 0])
  const { body } = await desk.call('GET', '/transcriptions/sample-en', 'ada')
  const { transcription } = api.transcription.data.parse(body.data)
  expect(transcription).toMatchObject({
    sample: true,
    status: 'completed',
    speakers: [{ name: 'Maya' }, { name: 'Leo' }],
    gist: { lines: [expect.stringContaining('Thursday')], tasks: [{ done: false }, { done: false }] },
  })
  const audio = await desk.fetch(transcription.audioUrl!, undefined, { range: 'bytes=0-3' })
  expect([audio.status, audio.headers.get('content-type'), await audio.text()]).toEqual([
    206,
    'audio/ogg',
    'OggS',
  ])
  expect((await desk.call('GET', '/transcriptions/stats', 'ada')).body.data.total).toBe(0)
  expect((await desk.call('GET', '/todos', 'ada')).body.data.todos).toEqual([])
})

test('when there are notes, then the sample stands below them, and no search, filter or page but the last has it', async () => {
  await desk.bus.publish(signUp('bob'))
  const { id } = await desk.complete(path, { userId: 'bob' })
  expect((await listOf('bob')).transcriptions.map(note => note.id)).toEqual([id, 'sample-en'])
  for (const query of ['?limit=1', '?page=2', '?search=meeting', '?status=completed', '?source=web'])
    expect([query, await sampleIn('bob', query)]).toEqual([query, undefined])
})

test('when the sample is removed, then it is gone for good, in every language, whatever comes late', async () => {
  await desk.bus.publish(signUp('cleo'))
  expect((await desk.remove('sample-fr', 'cleo')).status).toBe(200)
  await desk.bus.publish(signUp('cleo'))
  expect(await sampleIn('cleo')).toBeUndefined()
  expect((await desk.call('GET', '/transcriptions/sample-en', 'cleo')).status).toBe(404)
})

test('when it is removed before the sign-up is heard of, then it never comes', async () => {
  await desk.remove('sample-en', 'early')
  await desk.bus.publish(signUp('early'))
  expect(await sampleIn('early')).toBeUndefined()
})

test('when something else is tried on it, then it is no note', async () => {
  await desk.bus.publish(signUp('dora'))
  const path = '/transcriptions/sample-en'
  const calls = [
    desk.call('PATCH', path, 'dora', { body: { title: 'Mine' } }),
    desk.call('POST', `${path}/share`, 'dora', { body: { days: 1 } }),
    desk.refresh('sample-en', 'dora'),
    desk.call('PATCH', '/todos/sample-en/1', 'dora', { body: { done: true } }),
  ]
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
})

test('when the account is erased, then nothing of the sample is kept', async () => {
  await desk.bus.publish(signUp('leaver'))
  const person = { phone: null, email: 'ada@example.com', firstName: 'Ada', uiLanguage: 'en' as const }
  await desk.bus.publish(AccountErased.create({ userId: 'leaver', ...person }))
  expect(await desk.stored('samples').findOne({ _id: 'leaver' })).toBeNull()
})

test('when someone has no account of this release, then they have no sample', async () => {
  expect(await sampleIn('nobody')).toBeUndefined()
  expect((await desk.call('GET', '/transcriptions/sample-en', 'nobody')).status).toBe(404)
})

test.each(UI_LANGUAGES)('when a reader speaks %s, then text, times and recording agree', async language => {
  await desk.bus.publish(signUp('poly'))
  const item = await sampleIn('poly', '', language)
  expect(item).toMatchObject({ id: `sample-${language}`, language })
  const { body } = await desk.call('GET', `/transcriptions/${item?.id}`, 'poly')
  const { segments, durationSeconds } = api.transcription.data.parse(body.data).transcription
  const times = segments.flatMap(({ words = [] }) => words.flatMap(({ from, to }) => [from, to]))
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  expect(times.at(-1)).toBeLessThanOrEqual(durationSeconds!)
  expect(times.every(Number.isFinite)).toBe(true)
  expect(Math.abs(lengthOf(language) - durationSeconds!)).toBeLessThan(0.1)
})

/** Returns the seconds by the recording's last page: a position at 48 kHz, less what players skip (RFC 7845). */
function lengthOf(language: UiLanguage): number {
  const file = readFileSync(sampleRecording(`sample-${language}`)!.audio.key)
  const end = Number(file.readBigUInt64LE(file.lastIndexOf('OggS') + 6))
  return (end - file.readUInt16LE(file.indexOf('OpusHead') + 10)) / 48_000
}
