import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  derivedId,
  MediaExpired,
  MediaReceived,
  NoteRevoked,
  NoteWithdrawn,
  QuotaReserved,
} from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { ffmpeg } from '@voxscribe/speech/testing'
import { deskWithSphinx, SOURCE } from './testing.ts'

const { folder, sphinx, desk, note } = await deskWithSphinx({
  PUBLIC_URL: 'https://vox.example',
  NOTE_LEASE: '1s',
  RATE_LIMITS: 'off',
})
afterEach(async () => {
  await sphinx.release()
  await sphinx.repair()
})

/** Returns a note as lists show it. */
async function find(id: string, userId = 'u1') {
  const { body } = await desk.call('GET', '/transcriptions?limit=100', userId)
  return body.data.transcriptions.find((shown: { id: string }) => shown.id === id)
}
const complete = (facts = {}) => desk.complete(note, facts)
/** Receives a note, and holds its engine once it is called. */
async function listening(facts = {}) {
  await sphinx.hold()
  const before = await sphinx.runs()
  const { mediaId } = (await desk.receive(note, facts)).data
  const reserved = await desk.reserve(mediaId)
  await eventually(async () => (await sphinx.runs()) > before)
  return { mediaId, reserved, before }
}
/** Refreshes a note and returns the outcome of the next attempt. */
async function refreshed(id: string) {
  expect((await desk.refresh(id)).status).toBe(200)
  await desk.reserve(id, 2)
}

test('when the gateway asks for titles, then it gets those of notes that are not deleted', async () => {
  const [kept, deleted] = [await complete({ fileName: 'kept.ogg' }), await complete()]
  await desk.remove(deleted.id)
  const answer = await desk.fetch(`/internal/titles?ids=${kept.id},${deleted.id},unknown`)
  expect((await answer.json()).data).toEqual({ [kept.id]: 'kept.ogg' })
})

test('when the gateway asks what recognises speech, then it gets the engines and their languages', async () => {
  const answer = await desk.fetch('/internal/speech')
  expect((await answer.json()).data).toEqual({
    engines: [{ name: 'sphinx', model: 'en-us' }],
    languages: ['en'],
    secondsPerMinute: expect.any(Number),
    speakers: false,
    textModel: false,
    preview: true,
    try: true,
  })
})

describe('a file whose upload is being answered', () => {
  /** Delivers the note by ingestion's call, ahead of its event. */
  async function listed(facts = {}) {
    const event = await desk.store(note, { source: { channel: 'web' }, ...facts })
    const answer = await desk.fetch('/internal/notes', undefined, {}, event)
    expect(answer.status).toBe(200)
    return { event, id: event.data.mediaId }
  }

  test('then it can be read, listed, named, tagged and deleted at once, and its event changes nothing', async () => {
    const { event, id } = await listed()
    expect(await desk.noteOf(id)).toMatchObject({ id })
    expect(await find(id)).toMatchObject({ id })
    const named = await desk.call('PATCH', `/transcriptions/${id}`, 'u1', {
      body: { title: 'By Ben', tags: ['work'] },
    })
    expect(named.body.data.transcription).toMatchObject({ title: 'By Ben', tags: ['work'] })
    // It has been measured in the meantime, which changes it, too.
    await desk.normalised(id)
    const before = await find(id)
    await desk.bus.publish(event)
    expect(await find(id)).toEqual(before)
    expect((await desk.remove(id)).status).toBe(200)
    await desk.bus.publish(event)
    expect(await desk.noteOf(id)).toBeUndefined()
  })

  test('then its text can only be corrected once it is there', async () => {
    const { id } = await listed()
    const body = { title: 'By Ben', segments: [{ id: '1', text: 'No.' }] }
    const { status, body: answer } = await desk.call('PATCH', `/transcriptions/${id}`, 'u1', { body })
    expect([status, answer.code]).toEqual([409, 'already_processing'])
  })
})

test('when a note is named while an engine listens, then its text keeps the name, and is found by it', async () => {
  const { mediaId } = await listening()
  const body = { title: 'Zebra crossing', tags: ['street'] }
  expect((await desk.call('PATCH', `/transcriptions/${mediaId}`, 'u1', { body })).status).toBe(200)
  await sphinx.release()
  await desk.completed(mediaId)
  const found = await desk.call('GET', '/transcriptions?search=zebra&tag=street')
  expect(found.body.data.transcriptions).toMatchObject([
    { id: mediaId, title: 'Zebra crossing', tags: ['street'], status: 'completed', text: 'hello world' },
  ])
  expect(desk.bus.sent('TranscriptionCompleted').at(-1)?.data).toMatchObject({ title: 'Zebra crossing' })
})

test('when a note fails after it was named, then it keeps the name', async () => {
  const { data } = await desk.receive(note)
  await desk.normalised(data.mediaId)
  const body = { title: 'Named' }
  expect((await desk.call('PATCH', `/transcriptions/${data.mediaId}`, 'u1', { body })).status).toBe(200)
  await desk.exceed(data.mediaId)
  expect(await desk.noteOf(data.mediaId)).toMatchObject({ status: 'failed', title: 'Named' })
})

test('when an unknown note is waited for, then the answer comes at once', async () => {
  const before = performance.now()
  expect((await desk.call('GET', '/transcriptions/unknown?wait=30')).status).toBe(404)
  expect(performance.now() - before).toBeLessThan(29_000)
})

describe('the flow', () => {
  test('when a note comes in, then it is measured, listened to, and its text is there and sent', async () => {
    const { id, event, done } = await complete({ fileName: 'hello.ogg' })
    expect(done).toMatchObject({ text: 'hello world', words: 2, language: 'en', attempt: 1 })
    expect(done.notices).toMatchObject([{ code: 'english_only' }])
    expect(done).toMatchObject({ seconds: 2, audioSeconds: 2, remainingSeconds: 998, source: SOURCE })
    expect(await find(id)).toEqual({
      id,
      fileName: 'hello.ogg',
      title: 'hello.ogg',
      titleFrom: 'file',
      source: 'whatsapp',
      conversation: null,
      sender: null,
      speakers: [],
      voices: null,
      engine: { name: 'sphinx', model: 'en-us', instead: [] },
      edited: false,
      version: 2,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      time: expect.stringMatching(/^\d\d:\d\d$/),
      createdAt: expect.any(String),
      fileSize: event.data.bytes,
      audioLength: '2s',
      durationSeconds: 2,
      language: 'en',
      status: 'completed',
      text: 'hello world',
      wordCount: 2,
      confidenceScore: 0.5,
      notice: expect.stringContaining('Only English'),
      notices: [{ code: 'english_only' }],
      error: null,
      failure: null,
      audioAvailable: true,
      sameAs: null,
      tags: [],
    })
  })

  test('when the same messages come again, then there is one result and the engine has run once', async () => {
    const { id: mediaId, event } = await complete()
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
    const { mediaId, reserved, before } = await listening()
    const again = desk.bus.publish(reserved)
    await sphinx.release()
    await again
    await desk.completed(mediaId)
    expect(await sphinx.runs()).toBe(before + 1)
  })

  test('when minutes do not suffice, then it fails and says what is needed, left, when and where', async () => {
    const { data } = await desk.receive(note)
    await desk.exceed(data.mediaId)
    const { data: failed } = await desk.failed(data.mediaId)
    expect(failed.reason.code).toBe('out_of_minutes')
    const found = await find(data.mediaId)
    expect(found).toMatchObject({ status: 'failed', failure: { code: 'out_of_minutes' } })
    for (const part of ['2s long', 'only 1s left', 'December 1, 2026', 'https://vox.example/pricing'])
      expect(found?.error).toContain(part)
  })

  test('when nobody speaks, then it is completed without text, without engine and without minutes', async () => {
    const path = join(folder, 'silence.ogg')
    await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=16000', '-t', '3', '-c:a', 'libopus', path)
    const runs = await sphinx.runs()
    const { id, reserved, done } = await desk.complete(path)
    expect(reserved.seconds).toBe(0)
    expect(done).toMatchObject({
      text: '',
      seconds: 0,
      notices: [{ code: 'no_speech', facts: { seconds: 3, decibels: expect.any(Number) } }],
      remainingSeconds: 1000,
    })
    expect(await find(id)).toMatchObject({ status: 'completed', notice: 'No speech found' })
    expect(await sphinx.runs()).toBe(runs)
  })

  test('when the engine hears marks of noise alone, then that is no speech, and free', async () => {
    await sphinx.says('[BLANK_AUDIO]', '(crying)')
    const { id, done } = await complete()
    expect(done).toMatchObject({ text: '', seconds: 0 })
    expect(await find(id)).toMatchObject({ notice: 'No speech found' })
    await sphinx.says('hello', 'world')
  })

  test('when the engine repeats a name 88 times, then it stays once, the note is doubtful, and its history tells', async () => {
    await sphinx.says(...Array.from({ length: 88 }, () => 'john'))
    const { id, done } = await complete()
    expect([done.text, done.notices]).toEqual(['john', expect.arrayContaining([{ code: 'doubtful' }])])
    const { timeline } = await desk.noteOf(id)
    expect(timeline.find(({ step }: { step: string }) => step === 'repeatsCut')).toMatchObject({
      detail: 'The engine wrote this again and again (88 ×); it was kept once: john',
    })
    await sphinx.says('hello', 'world')
  })

  test('when the engine hears nothing, then no minutes are charged', async () => {
    await sphinx.says()
    const { id, done } = await complete()
    expect(done).toMatchObject({ text: '', seconds: 0, audioSeconds: 2, remainingSeconds: 1000 })
    // A silent note is not doubtful, as no engine was called.
    expect(done.notices).toMatchObject([{ code: 'no_speech' }, { code: 'doubtful' }])
    expect(await find(id)).toMatchObject({ notice: 'No speech found', notices: done.notices })
    await sphinx.says('hello', 'world')
  })

  test('when a file is text with the name of a note, then it fails, and no minutes are asked for', async () => {
    const path = join(folder, 'bad.ogg')
    await writeFile(path, 'just text '.repeat(100))
    const { mediaId } = (await desk.receive(path)).data
    expect((await desk.failed(mediaId)).data.reason.code).toBe('unreadable_audio')
    const asked = desk.bus.sent('MediaNormalised').map(({ data }) => data.transcriptionId)
    expect(asked).not.toContain(mediaId)
  })

  test('when ingestion refused a file, then the record says why, and is published once', async () => {
    const event = await desk.refuse()
    await desk.bus.publish(event)
    const { mediaId } = event.data
    const item = {
      status: 'failed',
      error: expect.stringContaining('larger than 16 MB'),
      failure: { code: 'too_large' },
      audioAvailable: false,
    }
    expect(await find(mediaId)).toMatchObject(item)
    const published = () => desk.bus.sent('NoteRejected').filter(({ data }) => data.item.id === mediaId)
    await eventually(() => published().length > 0)
    expect(published().map(({ data }) => data)).toEqual([
      expect.objectContaining({ fileName: 'big.ogg', item: expect.objectContaining(item) }),
    ])
  })

  test('when a download that was given up works later, then the note begins after all', async () => {
    const { mediaId } = (await desk.refuse({ reason: { code: 'download_failed' } })).data
    await complete({ mediaId })
    expect(await find(mediaId)).toMatchObject({ status: 'completed', error: null })
  })
})

describe('when things break', () => {
  test.each([
    ['stops', undefined],
    ['is killed', { owner: 'dead', term: 1, beat: 7 }],
  ])('when the service %s in the middle, then the note is done after the next start', async (_how, lease) => {
    const { mediaId, reserved } = await listening()
    if (lease) await desk.notes.updateOne({ _id: mediaId }, { $set: { 'work.lease': lease } })
    await desk.restart()
    await sphinx.release()
    await desk.bus.publish(reserved).catch(() => {})
    expect((await desk.completed(mediaId)).data.text).toBe('hello world')
  })
})

describe('deleting', () => {
  test('when a finished note is deleted, then it is gone for ingestion too, whatever is repeated', async () => {
    const { id: mediaId, event } = await complete()
    expect((await desk.remove(mediaId)).status).toBe(200)
    await eventually(() => desk.bus.sent('TranscriptionDeleted').some(({ data }) => data.mediaId === mediaId))
    await desk.bus.publish(event)
    expect(await find(mediaId)).toBeUndefined()
    expect((await desk.remove(mediaId)).status).toBe(404)
    expect(desk.bus.sent('TranscriptionFailed').some(({ data }) => data.transcriptionId === mediaId)).toBe(
      false,
    )
  })

  test('when a note is deleted during recognition, then the engine stops and minutes are released', async () => {
    const { mediaId } = await listening()
    expect((await desk.remove(mediaId)).status).toBe(200)
    expect((await desk.failed(mediaId)).data).toMatchObject({ reason: { code: 'deleted' }, attempt: 1 })
    // A held program ends only if it is killed.
    const pid = (await sphinx.pids()).at(-1)
    await eventually(() => !existsSync(`/proc/${pid}`))
    expect(await find(mediaId)).toBeUndefined()
  })

  test('when notes are deleted during recognition, then the sixth of the same bytes is charged', async () => {
    const facts = { userId: 'u-deleting', sha256: 'f'.repeat(64) }
    const charged: number[] = []
    const messages: string[] = []
    const alone = (id: string) => desk.remove(id, facts.userId)
    const inBulk = (id: string) =>
      desk.call('POST', '/transcriptions/bulk', facts.userId, { body: { action: 'delete', ids: [id] } })
    for (const remove of [alone, alone, alone, alone, alone, alone, inBulk]) {
      const { mediaId } = await listening(facts)
      messages.push((await remove(mediaId)).body.message)
      charged.push(Math.round((await desk.failed(mediaId)).data.seconds))
    }
    expect(charged).toEqual([0, 0, 0, 0, 0, 2, 2])
    const why = 'because you have deleted many notes while they were being transcribed.'
    expect(messages.slice(4)).toEqual([
      'Transcription deleted',
      `Deleted. Its minutes were charged, ${why}`,
      `1 note deleted. Minutes were charged for 1 of them, ${why}`,
    ])
    // A note that no engine has begun is free.
    const { data } = await desk.receive(note, { ...facts, sha256: 'e'.repeat(64) })
    await desk.normalised(data.mediaId)
    await desk.remove(data.mediaId, facts.userId)
    expect((await desk.failed(data.mediaId)).data.seconds).toBe(0)
  })

  test('when a note is revoked before its text is there, then it is gone and free; later it stays', async () => {
    const { data } = (await complete()).event
    const revoked = (mediaId: string) => NoteRevoked.create({ mediaId, userId: data.userId })
    await desk.bus.publish(revoked(data.mediaId))
    await sphinx.hold()
    const running = await desk.receive(note)
    await desk.reserve(running.data.mediaId)
    await desk.bus.publish(revoked(running.data.mediaId))
    const { data: ended } = await desk.failed(running.data.mediaId)
    expect([ended.reason.code, ended.seconds]).toEqual(['deleted', 0])
    const later = MediaReceived.create({ ...data, mediaId: derivedId('revoked', data.mediaId) })
    await desk.bus.publish(revoked(later.data.mediaId))
    await desk.bus.publish(later)
    expect(await find(later.data.mediaId)).toBeUndefined()
    expect(await find(data.mediaId)).toMatchObject({ status: 'completed' })
  })

  test('when a note is withdrawn, then it is gone, whether it was there or arrives later', async () => {
    const { data } = (await complete()).event
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
})

describe('refreshing', () => {
  test('when a finished note is refreshed, then its text stays until the new one is there', async () => {
    const { id } = await complete()
    await sphinx.says('better', 'words', 'now')
    const { status, body } = await desk.refresh(id)
    expect(status).toBe(200)
    expect(body.data.transcription).toMatchObject({ status: 'processing', text: 'hello world' })
    expect((await desk.refresh(id)).status).toBe(409)
    await desk.finish(id, 2)
    expect(await find(id)).toMatchObject({ status: 'completed', text: 'better words now' })
    await sphinx.says('hello', 'world')
  })

  test('when it is asked for twice at once, then one try is used', async () => {
    const { id } = await complete({ userId: 'twice' })
    for (const attempt of [2, 3, 4]) {
      const both = await Promise.all([desk.refresh(id, 'twice'), desk.refresh(id, 'twice')])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
      await desk.finish(id, attempt)
    }
  })

  test('when refreshing fails, then the text of before stays, with a notice', async () => {
    const { id } = await complete()
    await sphinx.breakDown()
    await refreshed(id)
    expect((await desk.failed(id)).data.attempt).toBe(2)
    expect(await find(id)).toMatchObject({
      status: 'completed',
      text: 'hello world',
      notice: expect.stringMatching(
        /^We couldn’t transcribe this note again. Something went wrong on our side/,
      ),
      notices: [{ code: 'refresh_failed' }],
      error: null,
    })
    expect((await desk.noteOf(id)).timeline.at(-1)).toMatchObject({
      step: 'textKept',
      detail: expect.stringMatching(/^Something went wrong/),
    })
  })

  test('when refreshing hears nothing, then the text of before stays, with a notice', async () => {
    const { id } = await complete()
    await sphinx.says()
    await refreshed(id)
    await desk.failed(id)
    const notices = [{ code: 'refresh_failed' }]
    expect(await find(id)).toMatchObject({ status: 'completed', text: 'hello world', notices })
    await sphinx.says('hello', 'world')
  })

  test('when a note failed before measuring, then a refresh measures it and asks for minutes', async () => {
    const broken = join(folder, 'broken.ogg')
    await writeFile(broken, `OggS${'x'.repeat(500)}`)
    const { mediaId } = (await desk.receive(broken)).data
    await desk.failed(mediaId)
    await desk.receive(note, { mediaId })
    await refreshed(mediaId)
    const { reserved, done } = await desk.finish(mediaId, 3)
    expect([reserved.seconds, done.seconds]).toEqual([2, 2])
    const text = 'hello world'
    expect(await find(mediaId)).toMatchObject({ status: 'completed', durationSeconds: 2, text })
  })

  test('when the audio has expired, then refreshing answers 410', async () => {
    const { id: mediaId, event } = await complete()
    await desk.removeAudio(event)
    await desk.bus.publish(MediaExpired.create({ mediaId, userId: 'u1' }))
    expect((await desk.refresh(mediaId)).status).toBe(410)
    expect(await find(mediaId)).toMatchObject({ text: 'hello world', audioAvailable: false })
  })

  test('when a note is refreshed in another language, then it is recognised in it', async () => {
    const { id } = await complete()
    const { body } = await desk.refresh(id, 'u1', { language: 'de' })
    expect(body.data.transcription.status).toBe('processing')
    await desk.reserve(id, 2)
    await desk.failed(id)
    expect(await find(id)).toMatchObject({ notice: expect.stringContaining('German') })
    for (const wanted of [{ language: 'xx' }, { engine: 'openai' }, { engine: 'toString' }])
      expect((await desk.refresh(id, 'u1', wanted)).status).toBe(400)
    await desk.refresh(id, 'u1', { language: 'en', engine: 'sphinx' })
    await desk.finish(id, 3)
    expect(await find(id)).toMatchObject({ engine: { name: 'sphinx' }, notice: null })
  })

  test('when a note is refreshed a sixth time in a day, or a person’s 21st in an hour, then 429', async () => {
    const userId = 'r1'
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await complete({ userId })).id))
    const waitFor = async (id: string) => {
      const { status, headers } = await desk.refresh(id, userId)
      return [status, Number(headers.get('retry-after'))]
    }
    for (const id of ids.slice(0, 4)) {
      for (let attempt = 2; attempt <= 6; attempt++) {
        expect((await desk.refresh(id, userId)).status).toBe(200)
        // A refresh that ends at once, without its minutes, counts like any other.
        await desk.exceed(id, attempt)
      }
      // A refusal by the note's limit is not counted for the person.
      if (id === ids[0]) expect(await waitFor(id)).toEqual([429, expect.closeTo(86_400, -3)])
    }
    expect(await waitFor(ids[4]!)).toEqual([429, expect.closeTo(3_600, -3)])
  })
})
