import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  derivedId,
  MediaExpired,
  MediaReceived,
  MediaRejected,
  NoteWithdrawn,
  QuotaReserved,
} from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { deskWithSphinx, ffmpeg, SOURCE } from './testing.ts'

const { folder, sphinx, desk, note } = await deskWithSphinx({
  PUBLIC_URL: 'https://vox.example',
  NOTE_TIMEOUT: '5s',
  RATE_LIMITS: 'off',
  SWEEP_EVERY: '50ms',
})
afterEach(async () => {
  await sphinx.release()
  await sphinx.repair()
})

async function find(id: string, userId = 'u1') {
  const { body } = await desk.call('GET', '/transcriptions?limit=100', userId)
  return body.data.transcriptions.find((shown: { id: string }) => shown.id === id)
}

async function complete(facts = {}) {
  const event = await desk.receive(note, facts)
  const { mediaId } = event.data
  await desk.reserve(mediaId)
  await desk.completed(mediaId)
  return event
}

test('when the gateway asks for titles, then it gets those of notes that are not deleted', async () => {
  const [kept, deleted] = [await complete({ fileName: 'kept.ogg' }), await complete()]
  await desk.call('DELETE', `/transcriptions/${deleted.data.mediaId}`, 'u1')
  const ids = [kept, deleted].map(({ data }) => data.mediaId)
  const answer = await desk.fetch(`/internal/titles?ids=${ids},unknown`)
  expect((await answer.json()).data).toEqual({ [ids[0]!]: 'kept.ogg' })
})

test('when the gateway asks what recognises speech, then it gets the engines and their languages', async () => {
  const answer = await desk.fetch('/internal/speech')
  expect((await answer.json()).data).toEqual({
    engines: [{ name: 'sphinx', model: 'en-us' }],
    languages: ['en'],
  })
})

describe('the flow', () => {
  test('when a note comes in, then it is measured, listened to, and its text is there and sent', async () => {
    const { data } = await complete({ fileName: 'hello.ogg' })
    const { data: done } = await desk.completed(data.mediaId)
    expect(done).toMatchObject({ text: 'hello world', words: 2, language: 'en', attempt: 1 })
    expect(done.notices).toMatchObject([{ code: 'english_only' }])
    expect(done).toMatchObject({ seconds: 2, audioSeconds: 2, remainingSeconds: 998, source: SOURCE })
    expect(await find(data.mediaId)).toEqual({
      id: data.mediaId,
      fileName: 'hello.ogg',
      title: 'hello.ogg',
      titleFrom: 'file',
      source: 'whatsapp',
      engine: { name: 'sphinx', model: 'en-us', instead: [] },
      edited: false,
      version: 2,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      time: expect.stringMatching(/^\d\d:\d\d$/),
      createdAt: expect.any(String),
      fileSize: data.bytes,
      audioLength: '2s',
      durationSeconds: 2,
      language: 'en',
      status: 'completed',
      text: 'hello world',
      wordCount: 2,
      confidenceScore: 0.5,
      notice: expect.stringContaining('Only English'),
      noticeCodes: ['english_only'],
      error: null,
      errorCode: null,
      audioAvailable: true,
      sameAs: null,
    })
  })

  test('when the same messages come again, then there is one result and the engine has run once', async () => {
    const event = await complete()
    const { mediaId } = event.data
    const runs = await sphinx.runs()
    const [cause] = desk.bus.sent('MediaNormalised').filter(({ data }) => data.transcriptionId === mediaId)
    await desk.bus.publish(event)
    await desk.bus.publish(QuotaReserved.causedBy(cause!, { ...cause!.data, remainingSeconds: 1 }))
    expect(await sphinx.runs()).toBe(runs)
    const ofNote = desk.bus
      .sent('TranscriptionCompleted')
      .filter(({ data }) => data.transcriptionId === mediaId)
    expect(ofNote).toHaveLength(1)
  })

  test('when a message comes again while its note is being listened to, then the engine runs once', async () => {
    await sphinx.hold()
    const before = await sphinx.runs()
    const { data } = await desk.receive(note)
    const reserved = await desk.reserve(data.mediaId)
    await eventually(async () => (await sphinx.runs()) > before)
    const again = desk.bus.publish(reserved)
    await sphinx.release()
    await again
    await desk.completed(data.mediaId)
    expect(await sphinx.runs()).toBe(before + 1)
  })

  test('when minutes do not suffice, then it fails and says what is needed, left, when and where', async () => {
    const { data } = await desk.receive(note)
    await desk.exceed(data.mediaId)
    const { data: failed } = await desk.failed(data.mediaId)
    expect(failed.reason.code).toBe('out_of_minutes')
    const found = await find(data.mediaId)
    expect(found).toMatchObject({ status: 'failed', errorCode: 'out_of_minutes' })
    for (const part of ['2s long', 'only 1s left', 'December 1, 2026', 'https://vox.example/pricing'])
      expect(found?.error).toContain(part)
  })

  test('when nobody speaks, then it is completed without text, without engine and without minutes', async () => {
    const path = join(folder, 'silence.ogg')
    await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=16000', '-t', '3', '-c:a', 'libopus', path)
    const runs = await sphinx.runs()
    const { data } = await desk.receive(path)
    const { data: reserved } = await desk.reserve(data.mediaId)
    expect(reserved.seconds).toBe(0)
    const { data: done } = await desk.completed(data.mediaId)
    expect(done).toMatchObject({
      text: '',
      seconds: 0,
      notices: [{ code: 'no_speech' }],
      remainingSeconds: 1000,
    })
    expect(await find(data.mediaId)).toMatchObject({ status: 'completed', notice: 'No speech found' })
    expect(await sphinx.runs()).toBe(runs)
  })

  test('when the engine hears nothing, then no minutes are charged', async () => {
    await sphinx.says()
    const { data } = await desk.receive(note)
    await desk.reserve(data.mediaId)
    const { data: done } = await desk.completed(data.mediaId)
    expect(done).toMatchObject({ text: '', seconds: 0, audioSeconds: 2, remainingSeconds: 1000 })
    await sphinx.says('hello', 'world')
  })

  test.each([
    ['text with the name of a note', 'just text '.repeat(100), 'unreadable_audio'],
    ['empty', '', 'unreadable_audio'],
  ])(
    'when a file is %s, then it fails with a reason and no minutes are asked for',
    async (_what, content, code) => {
      const path = join(folder, 'bad.ogg')
      await writeFile(path, content)
      const { data } = await desk.receive(path)
      expect((await desk.failed(data.mediaId)).data.reason.code).toBe(code)
      const asked = desk.bus
        .sent('MediaNormalised')
        .some(event => event.data.transcriptionId === data.mediaId)
      expect(asked).toBe(false)
    },
  )

  test.each([['a code', { code: 'too_large' }, 'larger than 16 MB']])(
    'when ingestion refused a file with %s, then the record says why',
    async (_what, reason, words) => {
      const data = {
        mediaId: crypto.randomUUID(),
        userId: 'u1',
        fileName: 'big.wav',
        bytes: 17,
        reason,
        source: SOURCE,
      }
      const event = MediaRejected.create(data)
      await desk.bus.publish(event)
      await desk.bus.publish(event)
      expect(await find(data.mediaId)).toMatchObject({
        status: 'failed',
        error: expect.stringContaining(words),
        errorCode: 'too_large',
        audioAvailable: false,
      })
    },
  )

  test('when a download that was given up works later, then the note begins after all', async () => {
    const reason = { code: 'download_failed' }
    const mediaId = crypto.randomUUID()
    await desk.bus.publish(
      MediaRejected.create({ mediaId, userId: 'u1', fileName: 'n.ogg', bytes: 0, reason, source: SOURCE }),
    )
    await complete({ mediaId })
    expect(await find(mediaId)).toMatchObject({ status: 'completed', error: null })
  })

  test('when the language is German and the engine knows only English, then it fails and says so', async () => {
    const { data } = await desk.receive(note, { language: 'de' })
    await desk.reserve(data.mediaId)
    const { data: failed } = await desk.failed(data.mediaId)
    expect(failed.reason).toMatchObject({
      code: 'language_not_supported',
      facts: { language: 'de', known: ['en'] },
    })
  })
})

describe('when things break', () => {
  test('when the engine fails once, then the note is still done', async () => {
    await sphinx.breakDown()
    const before = await sphinx.runs()
    const { data } = await desk.receive(note)
    await desk.reserve(data.mediaId)
    await eventually(async () => (await sphinx.runs()) > before)
    await sphinx.repair()
    expect((await desk.completed(data.mediaId)).data.text).toBe('hello world')
  })

  test('when the engine fails every time, then the note fails in time for its person', async () => {
    await sphinx.breakDown()
    const { data } = await desk.receive(note)
    await desk.reserve(data.mediaId)
    expect((await desk.failed(data.mediaId)).data.reason.code).toBe('transcription_failed')
    expect(await desk.bus.deadLetters()).toEqual([])
  })

  test('when the service stops in the middle, then the note is done after the next start', async () => {
    await sphinx.hold()
    const before = await sphinx.runs()
    const event = await desk.receive(note)
    const reserved = await desk.reserve(event.data.mediaId)
    await eventually(async () => (await sphinx.runs()) > before)
    await desk.restart()
    await sphinx.release()
    await desk.bus.publish(reserved).catch(() => {})
    const { data } = await desk.completed(event.data.mediaId)
    expect(data.text).toBe('hello world')
  })

  test.each([
    ['MediaReceived', MediaReceived],
    ['QuotaReserved', QuotaReserved],
  ])('when a %s is not what the contract says, then it goes to the dead letters', async (_name, type) => {
    const before = (await desk.bus.deadLetters()).length
    const poison = { ...MediaExpired.create({ mediaId: crypto.randomUUID(), userId: 'u1' }), type: type.name }
    await desk.bus.publish(poison)
    await eventually(async () => (await desk.bus.deadLetters()).length > before)
  })
})

describe('deleting', () => {
  test('when a finished note is deleted, then it is gone for ingestion too, whatever is repeated', async () => {
    const event = await complete()
    const { mediaId } = event.data
    expect(await desk.call('DELETE', `/transcriptions/${mediaId}`)).toMatchObject({ status: 200 })
    await eventually(() => desk.bus.sent('TranscriptionDeleted').some(({ data }) => data.mediaId === mediaId))
    await desk.bus.publish(event)
    expect(await find(mediaId)).toBeUndefined()
    expect(await desk.call('DELETE', `/transcriptions/${mediaId}`)).toMatchObject({ status: 404 })
    expect(desk.bus.sent('TranscriptionFailed').some(({ data }) => data.transcriptionId === mediaId)).toBe(
      false,
    )
  })

  test('when a note is deleted during recognition, then the engine stops and minutes are released', async () => {
    await sphinx.hold()
    const before = await sphinx.runs()
    const { data } = await desk.receive(note)
    await desk.reserve(data.mediaId)
    await eventually(async () => (await sphinx.runs()) > before)
    expect(await desk.call('DELETE', `/transcriptions/${data.mediaId}`)).toMatchObject({ status: 200 })
    expect((await desk.failed(data.mediaId)).data).toMatchObject({ reason: { code: 'deleted' }, attempt: 1 })
    // A held program ends only when it is killed.
    const pid = (await sphinx.pids()).at(-1)
    await eventually(() => !existsSync(`/proc/${pid}`))
    expect(await find(data.mediaId)).toBeUndefined()
  })

  test('when notes are deleted during recognition, then the sixth of the same bytes is charged', async () => {
    await sphinx.hold()
    const facts = { userId: 'u-deleting', sha256: 'f'.repeat(64) }
    const charged: number[] = []
    const messages: string[] = []
    const alone = (id: string) => desk.call('DELETE', `/transcriptions/${id}`, facts.userId)
    const inBulk = (id: string) =>
      desk.call('POST', '/transcriptions/bulk', facts.userId, { body: { action: 'delete', ids: [id] } })
    for (const remove of [alone, alone, alone, alone, alone, alone, inBulk]) {
      const before = await sphinx.runs()
      const { data } = await desk.receive(note, facts)
      await desk.reserve(data.mediaId)
      await eventually(async () => (await sphinx.runs()) > before)
      messages.push((await remove(data.mediaId)).body.message)
      charged.push(Math.round((await desk.failed(data.mediaId)).data.seconds))
    }
    expect(charged).toEqual([0, 0, 0, 0, 0, 2, 2])
    const why = 'because you have deleted many notes while they were being transcribed.'
    expect(messages.slice(4)).toEqual([
      'Transcription deleted',
      `Deleted. Its minutes were charged, ${why}`,
      `1 note deleted. The minutes of 1 were charged, ${why}`,
    ])
    // A note that no engine has heard stays free.
    const { data } = await desk.receive(note, { ...facts, sha256: 'e'.repeat(64) })
    await desk.normalised(data.mediaId)
    await desk.call('DELETE', `/transcriptions/${data.mediaId}`, facts.userId)
    expect((await desk.failed(data.mediaId)).data.seconds).toBe(0)
  })

  test('when a note is withdrawn, then it is gone, whether it was there or arrives later', async () => {
    const { data } = await complete()
    const withdrawn = (mediaId: string) => NoteWithdrawn.create({ mediaId, userId: 'u1' })
    for (let time = 0; time < 2; time++) await desk.bus.publish(withdrawn(data.mediaId))
    await eventually(async () => (await find(data.mediaId)) === undefined)
    await sphinx.hold()
    const running = await desk.receive(note)
    await desk.reserve(running.data.mediaId)
    await desk.bus.publish(withdrawn(running.data.mediaId))
    expect((await desk.failed(running.data.mediaId)).data.reason.code).toBe('deleted')
    const later = MediaReceived.create({ ...data, mediaId: derivedId('later', data.mediaId) })
    await desk.bus.publish(withdrawn(later.data.mediaId))
    await desk.bus.publish(later)
    expect(await find(later.data.mediaId)).toBeUndefined()
    expect(await desk.bus.deadLetters()).not.toContainEqual(expect.objectContaining({ id: later.id }))
  })

  test('when a note is someone else’s, then it is not there', async () => {
    const { data } = await complete()
    expect(await desk.call('DELETE', `/transcriptions/${data.mediaId}`, 'u2')).toMatchObject({ status: 404 })
    expect(await desk.call('POST', `/transcriptions/${data.mediaId}/refresh`, 'u2')).toMatchObject({
      status: 404,
    })
    expect(await find(data.mediaId)).toBeDefined()
  })
})

describe('refreshing', () => {
  test('when a finished note is refreshed, then its text stays until the new one is there', async () => {
    const { data } = await complete()
    await sphinx.says('better', 'words', 'now')
    const { status, body } = await desk.call('POST', `/transcriptions/${data.mediaId}/refresh`)
    expect(status).toBe(200)
    expect(body.data.transcription).toMatchObject({ status: 'processing', text: 'hello world' })
    expect(await desk.call('POST', `/transcriptions/${data.mediaId}/refresh`)).toMatchObject({ status: 409 })
    await desk.reserve(data.mediaId, 2)
    await desk.completed(data.mediaId, 2)
    expect(await find(data.mediaId)).toMatchObject({ status: 'completed', text: 'better words now' })
    await sphinx.says('hello', 'world')
  })

  test('when refreshing fails, then the text of before stays, with a notice', async () => {
    const { data } = await complete()
    await sphinx.breakDown()
    await desk.call('POST', `/transcriptions/${data.mediaId}/refresh`)
    await desk.reserve(data.mediaId, 2)
    expect((await desk.failed(data.mediaId)).data.attempt).toBe(2)
    expect(await find(data.mediaId)).toMatchObject({
      status: 'completed',
      text: 'hello world',
      notice: expect.stringMatching(/^Transcribing again did not work: Something went wrong on our side/),
      noticeCodes: ['refresh_failed'],
      error: null,
    })
    const { body } = await desk.call('GET', `/transcriptions/${data.mediaId}`)
    expect(body.data.transcription.timeline.at(-1)).toMatchObject({
      step: 'textKept',
      detail: expect.stringMatching(/^Something went wrong/),
    })
  })

  test('when refreshing hears nothing, then the text of before stays, with a notice', async () => {
    const { data } = await complete()
    await sphinx.says()
    await desk.call('POST', `/transcriptions/${data.mediaId}/refresh`)
    await desk.reserve(data.mediaId, 2)
    await desk.failed(data.mediaId)
    expect(await find(data.mediaId)).toMatchObject({
      status: 'completed',
      text: 'hello world',
      noticeCodes: ['refresh_failed'],
    })
    await sphinx.says('hello', 'world')
  })

  test('when a note failed before measuring, then a refresh measures it and asks for minutes', async () => {
    const broken = join(folder, 'broken.ogg')
    await writeFile(broken, `OggS${'x'.repeat(500)}`)
    const { mediaId } = (await desk.receive(broken)).data
    await desk.failed(mediaId)
    await desk.receive(note, { mediaId })
    expect((await desk.call('POST', `/transcriptions/${mediaId}/refresh`)).status).toBe(200)
    await desk.reserve(mediaId, 2)
    expect((await desk.reserve(mediaId, 3)).data.seconds).toBe(2)
    expect((await desk.completed(mediaId, 3)).data.seconds).toBe(2)
    expect(await find(mediaId)).toMatchObject({
      status: 'completed',
      durationSeconds: 2,
      text: 'hello world',
    })
  })

  test('when the audio has expired, then refreshing answers 410', async () => {
    const event = await complete()
    const { mediaId } = event.data
    await desk.removeAudio(event)
    await desk.bus.publish(MediaExpired.create({ mediaId, userId: 'u1' }))
    expect(await desk.call('POST', `/transcriptions/${mediaId}/refresh`)).toMatchObject({ status: 410 })
    expect(await find(mediaId)).toMatchObject({ text: 'hello world', audioAvailable: false })
  })

  test('when a note is refreshed in another language, then it is recognised in it', async () => {
    const { data } = await complete()
    const { body } = await desk.call('POST', `/transcriptions/${data.mediaId}/refresh`, 'u1', {
      body: { language: 'de' },
    })
    expect(body.data.transcription.status).toBe('processing')
    await desk.reserve(data.mediaId, 2)
    await desk.failed(data.mediaId)
    expect(await find(data.mediaId)).toMatchObject({ notice: expect.stringContaining('German') })
    for (const body of [{ language: 'xx' }, { engine: 'openai' }, { engine: 'toString' }]) {
      const refused = await desk.call('POST', `/transcriptions/${data.mediaId}/refresh`, 'u1', { body })
      expect(refused.status).toBe(400)
    }
    const again = { body: { language: 'en', engine: 'sphinx' } }
    await desk.call('POST', `/transcriptions/${data.mediaId}/refresh`, 'u1', again)
    await desk.reserve(data.mediaId, 3)
    await desk.completed(data.mediaId, 3)
    expect(await find(data.mediaId)).toMatchObject({ engine: { name: 'sphinx' }, notice: null })
  })

  test('when a note is refreshed a sixth time in a day, then 429, whatever RATE_LIMITS says', async () => {
    const { data } = await complete({ userId: 'r1' })
    const refresh = () => desk.call('POST', `/transcriptions/${data.mediaId}/refresh`, 'r1')
    for (let attempt = 2; attempt <= 6; attempt++) {
      expect((await refresh()).status).toBe(200)
      await desk.reserve(data.mediaId, attempt)
      await desk.completed(data.mediaId, attempt)
    }
    const { status, headers } = await refresh()
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(86_000)
  })

  test('when a person refreshes a 21st time in an hour, then it answers 429', async () => {
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.push((await complete({ userId: 'r2' })).data.mediaId)
    for (let attempt = 2; attempt <= 5; attempt++) {
      for (const id of ids) {
        expect((await desk.call('POST', `/transcriptions/${id}/refresh`, 'r2')).status).toBe(200)
        await desk.reserve(id, attempt)
        await desk.completed(id, attempt)
      }
    }
    const { status, headers } = await desk.call('POST', `/transcriptions/${ids[0]}/refresh`, 'r2')
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
  })

  test('when there is no such note, then it answers 404', async () => {
    expect(await desk.call('POST', '/transcriptions/nothing/refresh')).toMatchObject({ status: 404 })
  })
})

describe('the history', () => {
  beforeAll(async () => {
    const reason = { code: 'too_large' }
    for (const fileName of ['100% (a+b).ogg', 'Second.ogg', 'third.ogg']) {
      const data = { mediaId: crypto.randomUUID(), userId: 'h1', fileName, bytes: 10, reason, source: SOURCE }
      await desk.bus.publish(MediaRejected.create(data))
    }
    await complete({ userId: 'h1', fileName: 'fourth.ogg', bytes: 500 })
  })
  const list = async (query: string) => (await desk.call('GET', `/transcriptions?${query}`, 'h1')).body.data
  const names = async (query: string) =>
    (await list(query)).transcriptions.map(({ fileName }: { fileName: string }) => fileName)

  test('when it is asked page by page, then notes come newest first and statistics are of all', async () => {
    const { pagination, statistics } = await list('page=2&limit=3&status=all')
    expect(pagination).toEqual({ page: 2, limit: 3, total: 4, totalPages: 2 })
    expect(statistics).toEqual({ total: 4, completed: 1, processing: 0, failed: 3 })
    expect(await names('limit=3')).toEqual(['fourth.ogg', 'third.ogg', 'Second.ogg'])
    expect(await names('limit=3&page=2')).toEqual(['100% (a+b).ogg'])
  })

  test.each([
    ['SECOND', ['Second.ogg']],
    ['100% (a+b)', ['100% (a+b).ogg']],
    ['WORLD', ['fourth.ogg']],
    ['wor, HELL!', ['fourth.ogg']],
    ['orld', []],
    ['hello third', []],
    ['.*', []],
    ['nothing like it', []],
    ['\0', []],
  ])(
    'when %j is searched, then it is the beginnings of words in any order and case',
    async (search, found) => {
      expect(await names(`search=${encodeURIComponent(search)}`)).toEqual(found)
    },
  )

  test('when a status is asked for, then only such notes come, with the statistics of all', async () => {
    expect(await names('status=completed')).toEqual(['fourth.ogg'])
    expect((await list('status=processing')).statistics.total).toBe(4)
  })

  test.each(['page=0', 'page=x', 'limit=0', 'limit=1.5', 'status=done', 'search=a&search=b'])(
    'when the question is "%s", then it answers 400',
    async query => {
      expect(await desk.call('GET', `/transcriptions?${query}`, 'h1')).toMatchObject({ status: 400 })
    },
  )

  test('when the sums are asked for, then they are of the whole account', async () => {
    const { body } = await desk.call('GET', '/transcriptions/stats', 'h1')
    expect(body.data).toEqual({
      total: 4,
      completed: 1,
      processing: 0,
      failed: 3,
      totalFileSize: 530,
      totalSeconds: 2,
      languages: ['auto', 'en'],
    })
    expect((await desk.call('GET', '/transcriptions/stats', 'nobody')).body.data.total).toBe(0)
  })
})
