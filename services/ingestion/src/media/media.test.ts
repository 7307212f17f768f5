import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import {
  type Answer,
  bytes,
  graphError,
  hang,
  json,
  startTestSandbox,
  type TestSandbox,
} from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import { recording } from '../testing/recording.ts'
import {
  announcedTo,
  filePath,
  infoPath,
  ingestionForAll,
  mediaIdFor,
  newPhone,
  unique,
  voiceNote,
} from '../testing.ts'

const MEGABYTE = 1024 * 1024
const app = ingestionForAll({ MEDIA_IDLE_TIMEOUT: '5s' })
let elsewhere: TestSandbox
let phone: string
beforeAll(async () => {
  elsewhere = await startTestSandbox()
  phone = newPhone()
  await app.register('ada', phone)
})
afterAll(async () => {
  await elsewhere.stop()
})

const sha256 = (file: Buffer, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(file).digest(encoding)

/** A note of a known sender, not sent yet. */
function newNote(more: object = {}) {
  const note = voiceNote({ from: phone }, more)
  const id = note.audio.id
  return {
    note,
    mediaId: mediaIdFor(note.id),
    infoPath: infoPath(id),
    filePath: filePath(id),
    /** Sets Graph's responses for its id. */
    info: (...answers: Answer[]) => app.on(infoPath(id), ...answers),
    /** Sets the responses of its address; requests for its id succeed. */
    file: (...answers: Answer[]) => {
      app.on(infoPath(id), app.info(id))
      app.on(filePath(id), ...answers)
    },
    /** Makes the file available. */
    whole: (file: Buffer) => app.offer(id, file),
    event: () => announcedTo('ada', note),
  }
}
type Note = ReturnType<typeof newNote>

async function expectReceived({ note, mediaId }: Note, file: Buffer) {
  await app.say(note)
  const received = await app.received(mediaId)
  expect(received).toMatchObject({ userId: 'ada', bytes: file.length, sha256: sha256(file) })
  expect((await buffer(await app.blobs.read(received.objectKey))).equals(file)).toBe(true)
  await eventually(async () => (await app.temporaryFiles(mediaId)).length === 0)
  return received
}

async function expectRejected({ note, mediaId }: Note, code: string) {
  await app.say(note)
  const rejected = await app.rejected(mediaId)
  expect(rejected).toMatchObject({
    userId: 'ada',
    reason: { code },
    source: { address: phone, messageId: note.id },
  })
  await eventually(async () => (await app.temporaryFiles(mediaId)).length === 0)
  expect(app.others.sent('MediaReceived').some(({ data }) => data.mediaId === mediaId)).toBe(false)
  return rejected
}

describe('a file that is well', () => {
  test.each(['base64', 'hex'] as const)(
    'when its hash is announced in %s, then it is stored',
    async encoding => {
      const file = recording(1)
      const note = newNote({ sha256: sha256(file, encoding) })
      note.whole(file)
      const { objectKey } = await expectReceived(note, file)
      expect(objectKey).toMatch(new RegExp(`^media/\\d{4}/\\d{2}/${note.mediaId}$`))
      const record = await app.mediaRecord(note.mediaId)
      expect((record?.deleteAt - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
    },
  )

  test('when it is not the file that was announced at first, then it is fetched again', async () => {
    const file = recording(2)
    const note = newNote({ sha256: sha256(file, 'base64') })
    note.file(bytes(recording(3)), bytes(file))
    await expectReceived(note, file)
  })

  test('when it is a video, then it is taken', async () => {
    const file = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2'), Buffer.alloc(500)])
    const note = newNote()
    note.whole(file)
    expect((await expectReceived(note, file)).mime).toBe('video/mp4')
  })
})

describe('a file that is not', () => {
  test('when Graph declares more than 16 MB, then the file is not even asked for', async () => {
    const note = newNote()
    note.info(app.info(note.note.audio.id, { file_size: `${17 * MEGABYTE}` }))
    expect((await expectRejected(note, 'too_large')).bytes).toBe(17 * MEGABYTE)
    expect(app.sandbox.callsTo(note.filePath)).toEqual([])
  })

  test.each([
    ['nothing', Buffer.alloc(0), 'empty_file'],
    ['a text', Buffer.from('This is no recording at all.'), 'not_audio_or_video'],
  ])('when it is %s that calls itself audio, then it is rejected', async (_what, file, code) => {
    const note = newNote({ mime_type: 'audio/ogg' })
    note.whole(file)
    expect((await expectRejected(note, code)).bytes).toBe(file.length)
  })

  test('when it is never what was announced, then it is given up', async () => {
    const note = newNote({ sha256: sha256(recording(5), 'base64') })
    note.whole(recording(6))
    await app.say(note.note)
    await eventually(() => app.downloads(note.note.audio.id).length > 1)
    await app.announcedAgo(note.event(), 11 * 60_000)
    expect(await app.rejected(note.mediaId)).toMatchObject({ reason: { code: 'download_failed' } })
  })
})

describe('a provider in trouble', () => {
  test('when the address has run out, then the id is asked again', async () => {
    const note = newNote()
    const fresh = `${note.filePath}/fresh`
    note.info(
      app.info('x', { url: `${app.sandbox.origin}${note.filePath}` }),
      app.info('x', { url: `${app.sandbox.origin}${fresh}` }),
    )
    app.on(note.filePath, json(404, {}))
    app.on(fresh, bytes(recording()))
    await expectReceived(note, recording())
    expect(app.sandbox.callsTo(note.infoPath)).toHaveLength(2)
  })

  test('when the id is unknown, then it is rejected at once', async () => {
    const note = newNote()
    note.info(graphError(100, 400, 33))
    await expectRejected(note, 'media_gone')
    expect(app.sandbox.callsTo(note.infoPath)).toHaveLength(1)
  })

  test.each([
    ['Graph has an error', graphError(131_000, 500)],
    ['Graph is busy', graphError(130_429, 429)],
    ['Graph refuses the token', graphError(190, 401)],
    ['Graph answers nonsense', json(200, { url: 'x' })],
    ['Graph answers a page', (response => response.end('<html>')) satisfies Answer],
    ['the line breaks', (response => response.destroy()) satisfies Answer],
    ['Graph is silent', hang],
  ])('when %s once, then it is tried again', async (_what, trouble: Answer) => {
    const note = newNote()
    note.file(bytes(recording()))
    note.info(trouble, app.info(note.note.audio.id))
    await expectReceived(note, recording())
  })

  test.each([
    ['has an error', json(503, {})],
    ['refuses the token', json(401, {})],
    ['is silent', hang],
    ['has no file at the fresh address either', json(404, {}), json(404, {})],
  ])('when the file’s host %s, then it is tried again', async (_what, ...troubles: Answer[]) => {
    const note = newNote()
    note.file(...troubles, bytes(recording()))
    await expectReceived(note, recording())
  })

  test.each([
    ['has an error', graphError(131_000, 503)],
    ['refuses our token', graphError(190, 401)],
  ])(
    'when Graph %s for long, then the note waits, without a dead letter, and comes in the end',
    async (_what, trouble) => {
      const note = newNote()
      note.info(trouble)
      await app.say(note.note)
      await eventually(() => app.sandbox.callsTo(note.infoPath).length > 3)
      expect(JSON.stringify(await app.others.deadLetters())).not.toContain(note.mediaId)
      note.whole(recording())
      expect((await app.received(note.mediaId)).bytes).toBe(recording().length)
      expect(await app.mediaRecord(note.mediaId)).toMatchObject({ status: 'stored', forgetAt: null })
      expect(app.others.sent('MediaRejected').some(({ data }) => data.mediaId === note.mediaId)).toBe(false)
    },
  )

  test('when it lasts as long as the provider keeps the file, then the note fails with a reason', async () => {
    const note = newNote()
    note.file(json(503, {}))
    await app.announcedAgo(note.event(), 8 * 86_400_000)
    expect(await app.rejected(note.mediaId)).toMatchObject({ reason: { code: 'download_failed' } })
    expect(await app.mediaRecord(note.mediaId)).toMatchObject({ status: 'rejected' })
  })

  test('when it takes longer than 20 s, then the person is informed once', async () => {
    const [outage, token] = [newNote(), newNote()]
    outage.info(graphError(131_000, 503))
    token.info(graphError(190, 401))
    for (const note of [outage, token]) {
      void app.announcedAgo(note.event(), 21_000)
      await eventually(() => app.sandbox.callsTo(note.infoPath).length > 3)
    }
    const told = (mediaId: string) =>
      app.others.sent('MediaDelayed').filter(({ data }) => data.mediaId === mediaId)
    expect(told(outage.mediaId).map(({ data }) => data.fileName)).toEqual(['note.ogg'])
    expect(told(token.mediaId)).toEqual([])
    outage.whole(recording())
    token.whole(recording())
    for (const { mediaId } of [outage, token]) await app.received(mediaId)
  })
})

describe('our token', () => {
  test('when the file is elsewhere, then it is fetched without the token', async () => {
    const note = newNote()
    elsewhere.script('GET /file', bytes(recording()))
    note.info(app.info('x', { url: `${elsewhere.origin}/file` }))
    await expectReceived(note, recording())
    expect(elsewhere.callsTo('/file').map(({ headers }) => headers.authorization)).toEqual([undefined])
  })
})

describe('the same announcement again', () => {
  test('when it comes twice, one after the other or at once, then there is one result', async () => {
    const note = newNote()
    note.whole(recording())
    const event = note.event()
    await Promise.all(Array.from({ length: 5 }, () => app.publish(event)))
    await app.publish(event)
    await app.received(note.mediaId)
    expect(app.others.sent('MediaReceived').filter(({ data }) => data.mediaId === note.mediaId)).toHaveLength(
      1,
    )
    expect(await app.others.deadLetters()).not.toContainEqual(expect.objectContaining({ id: event.id }))
    await eventually(async () => (await app.temporaryFiles(note.mediaId)).length === 0)
  })

  test('when it was rejected, then it is not fetched again', async () => {
    const note = newNote()
    note.whole(Buffer.from('no recording'))
    const event = note.event()
    await app.publish(event)
    await app.rejected(note.mediaId)
    await app.publish(event)
    expect(app.downloads(note.note.audio.id)).toHaveLength(1)
  })

  test('when the service dies between storing and recording a file, then there is one result', async () => {
    const note = newNote()
    note.whole(recording())
    const event = note.event()
    const half = join(app.env.DATA_DIR ?? '', unique('half-'))
    await writeFile(half, 'half a file')
    const objectKey = `media/${event.occurredAt.slice(0, 7).replace('-', '/')}/${note.mediaId}`
    await app.blobs.putFile(objectKey, half, 11)
    await app.publish(event)
    expect(await app.received(note.mediaId)).toMatchObject({ objectKey, sha256: sha256(recording()) })
    expect((await buffer(await app.blobs.read(objectKey))).equals(recording())).toBe(true)
  })
})
