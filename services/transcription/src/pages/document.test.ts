import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AnswerSent, MediaExpired } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { createFfmpeg, ffmpeg as record } from '@voxscribe/speech/testing'
import mongoose from 'mongoose'
import { type Entry, fromBufferPromise } from 'yauzl'
import { deskWithSphinx } from '../testing.ts'

const { sphinx, desk, folder, note: path } = await deskWithSphinx()

/** Completes a note and returns it as its page shows it. */
async function complete(facts = {}) {
  const { id, event } = await desk.complete(path, facts)
  return { id, event, document: await desk.noteOf(id, event.data.userId) }
}
const patch = (id: string, body: object, headers = {}, userId = 'u1') =>
  desk.call('PATCH', `/transcriptions/${id}`, userId, { body, headers })

/** Returns the main part of a DOCX export. */
async function documentIn(id: string): Promise<string> {
  const docx = await desk.fetch(`/api/transcriptions/${id}/export?format=docx&times=off`, 'u1')
  const zip = await fromBufferPromise(Buffer.from(await docx.arrayBuffer()))
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
    if (entry.fileName === 'word/document.xml') {
      const stream = await zip.openReadStreamPromise(entry)
      return Buffer.concat(await stream.toArray()).toString()
    }
  }
  throw new Error('The file has no document')
}

describe('a transcription on its own page', () => {
  test('when it is asked for, then it has segments, levels and what happened to it', async () => {
    const { document } = await complete({ title: 'Shopping' })
    expect(document).toMatchObject({ title: 'Shopping', source: 'whatsapp', edited: false, original: null })
    expect(document.segments).toMatchObject([{ from: 0, text: 'hello world' }])
    expect(document.levels.length).toBeGreaterThan(10)
    expect(Math.max(...document.levels)).toBe(1)
    const steps = document.timeline.map(({ step }: { step: string }) => step)
    const way = ['received', 'fetched', 'measuring', 'minutesAsked', 'listening', 'completed']
    expect(steps).toEqual(way)
    expect(document.timeline[0].ms).toBeNull()
    expect(document.timeline[5]).toMatchObject({ ms: expect.any(Number), detail: 'sphinx' })
  })

  test('when its message came before its file, and its answer goes out, then it says when', async () => {
    const receivedAt = new Date(Date.now() - 5_000).toISOString()
    const { id } = await complete({ receivedAt })
    const answered = (way: 'chat' | 'mail') =>
      AnswerSent.create({ transcriptionId: id, userId: 'u1', way, messageIds: [] })
    const [byChat, byMail] = [answered('chat'), answered('mail')]
    for (const news of [byChat, byChat, byMail, byChat]) await desk.bus.publish(news)
    const { timeline, createdAt } = await desk.noteOf(id)
    expect(createdAt).toBe(receivedAt)
    expect(timeline[0]).toMatchObject({ step: 'received', at: receivedAt })
    expect(timeline[1].ms).toBeGreaterThanOrEqual(5_000)
    expect(timeline.slice(-2)).toMatchObject([
      { step: 'answered', at: byChat.occurredAt, detail: 'chat' },
      { step: 'answered', at: byMail.occurredAt, detail: 'mail' },
    ])
  })

  test('when it is someone else’s, deleted or unknown, then it answers 404', async () => {
    const [{ id }, { id: deleted }] = [await complete(), await complete()]
    await desk.remove(deleted)
    for (const [unknown, userId] of [
      [id, 'u2'],
      [deleted, 'u1'],
      ['nothing', 'u1'],
    ] as const) {
      const at = `/transcriptions/${unknown}`
      const asked = [
        desk.call('GET', at, userId),
        patch(unknown, { title: 'mine' }, {}, userId),
        desk.refresh(unknown, userId),
        desk.remove(unknown, userId),
        desk.fetch(`/api${at}/export?format=txt`, userId),
        desk.fetch(`/api${at}/audio`, userId),
      ]
      for (const { status } of await Promise.all<{ status: number }>(asked)) expect(status).toBe(404)
      expect((await desk.fetch(`/api${at}/audio`)).status).toBe(401)
    }
    expect(await desk.noteOf(id)).toMatchObject({ title: 'note.ogg', status: 'completed' })
  })
})

describe('the audio', () => {
  test('when it is asked for, then it comes whole, in ranges, and as a download', async () => {
    const { id, document } = await complete({ fileName: 'Früh “am” Tag.ogg' })
    const original = await readFile(path)
    const whole = await desk.fetch(document.audioUrl)
    expect(whole.status).toBe(200)
    expect(whole.headers.get('content-type')).toBe('audio/ogg')
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await whole.arrayBuffer()).equals(original)).toBe(true)

    const part = await desk.fetch(document.audioUrl, undefined, { range: 'bytes=10-19' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 10-19/${original.length}`)
    expect(Buffer.from(await part.arrayBuffer()).equals(original.subarray(10, 20))).toBe(true)
    const tail = await desk.fetch(document.audioUrl, undefined, { range: 'bytes=-5' })
    expect(Buffer.from(await tail.arrayBuffer()).equals(original.subarray(-5))).toBe(true)
    expect((await desk.fetch(document.audioUrl, undefined, { range: 'bytes=99999999-' })).status).toBe(416)
    expect((await desk.fetch(document.audioUrl, undefined, { range: 'bytes=-0' })).status).toBe(416)
    const longer = await desk.fetch(document.audioUrl, undefined, { range: 'bytes=-16777216' })
    expect(longer.status).toBe(206)
    expect(longer.headers.get('content-range')).toBe(`bytes 0-${original.length - 1}/${original.length}`)
    expect(Buffer.from(await longer.arrayBuffer()).equals(original)).toBe(true)
    expect((await desk.fetch(document.audioUrl, undefined, { range: 'items=99999999-' })).status).toBe(200)

    const tag = whole.headers.get('etag')!
    for (const [condition, status] of [
      [tag, 206],
      [`W/${tag}`, 200],
      ['"another"', 200],
      [new Date().toUTCString(), 200],
    ] as const) {
      const headers = { range: 'bytes=10-19', 'if-range': condition }
      expect((await desk.fetch(document.audioUrl, undefined, headers)).status).toBe(status)
    }

    const download = await desk.fetch(`/api/transcriptions/${id}/audio?download=1`, 'u1')
    expect(download.headers.get('content-disposition')).toContain("filename*=UTF-8''Fr%C3%BCh")
  })

  test('when its second track was heard, then player and shared page get that one, a download the file, and both go together', async () => {
    const film = join(folder, 'film.mov')
    const tracks = ['anullsrc', 'sine=frequency=440:duration=2'].flatMap(source => [
      '-f',
      'lavfi',
      '-i',
      source,
    ])
    await record(...tracks, '-map', '0', '-map', '1', '-t', '2', '-c:a', 'pcm_s16le', film)
    const { id, event } = await desk.complete(film, { mime: 'video/quicktime', fileName: 'film.mov' })
    const { audioUrl } = await desk.noteOf(id)
    const { body } = await desk.call('POST', `/transcriptions/${id}/share`, 'u1', {
      body: { days: 1, audio: true },
    })
    const shared = `/api/shared/${body.data.url.split('/s/')[1]}/audio`
    const contents = async (url: string, userId?: string) =>
      Buffer.from(await (await desk.fetch(url, userId)).arrayBuffer())
    const played = await contents(audioUrl)
    const path = join(folder, 'played.mov')
    await writeFile(path, played)
    const sound = { to: join(folder, 'played.raw'), mime: 'video/quicktime' }
    const decoded = await createFfmpeg({ FFMPEG_TIMEOUT: 20_000 }).decode(path, {
      ...sound,
      signal: new AbortController().signal,
    })
    expect(decoded).toMatchObject([{ place: 0, seconds: 2 }])
    expect(Math.min(...decoded[0]!.levels)).toBeGreaterThan(1_000)
    const part = await desk.fetch(audioUrl, undefined, { range: 'bytes=-9' })
    expect(part.headers.get('content-range')).toBe(
      `bytes ${played.length - 9}-${played.length - 1}/${played.length}`,
    )
    expect(await contents(shared)).toEqual(played)
    const download = await contents(`/api/transcriptions/${id}/audio?download=1`, 'u1')
    expect(download).toEqual(await readFile(film))
    await desk.removeAudio(event)
    for (const url of [audioUrl, shared]) expect((await desk.fetch(url)).status).not.toBe(200)
  })

  test('when an address is not signed for this note, or no longer, then it does not work', async () => {
    const [one, other] = [await complete(), await complete()]
    const [, token] = one.document.audioUrl.split('?token=')
    const audio = (id: string, token: string) =>
      desk.fetch(`/api/transcriptions/${id}/audio?token=${encodeURIComponent(token)}`)
    expect((await audio(one.id, token)).status).toBe(200)
    expect((await audio(other.id, token)).status).toBe(404)
    const [expires, signature] = token.split('.')
    const lasts = Number(expires) - Date.now()
    expect(lasts > 9 * 60_000 && lasts <= 10 * 60_000).toBe(true)
    expect((await audio(one.id, `${Number(expires) + 1}.${signature}`)).status).toBe(404)
    expect((await audio(one.id, `1.${signature}`)).status).toBe(404)
    expect((await audio(one.id, '')).status).toBe(401)
    await desk.remove(one.id)
    expect((await audio(one.id, token)).status).toBe(404)
  })

  test('when it has been deleted, then there is no address, and asking answers 410', async () => {
    const { id: mediaId, event } = await complete()
    await desk.removeAudio(event)
    expect((await desk.fetch(`/api/transcriptions/${mediaId}/audio`, 'u1')).status).toBe(410)
    await desk.bus.publish(MediaExpired.create({ mediaId, userId: 'u1' }))
    expect((await desk.noteOf(mediaId)).audioUrl).toBeNull()
  })
})

describe('a correction', () => {
  test('when text is corrected, then it is the text, the original is kept, and can be brought back', async () => {
    const { id, document } = await complete()
    const segments = [{ id: document.segments[0].id, text: 'Hello, wide world!' }]
    const { status, body } = await patch(id, { title: 'Greeting', segments })
    expect(status).toBe(200)
    expect(body.data.transcription).toMatchObject({
      title: 'Greeting',
      text: 'Hello, wide world!',
      wordCount: 3,
      edited: true,
      version: document.version + 1,
      original: { text: 'hello world' },
    })
    const back = await patch(id, { restore: true })
    expect(back.body.data.transcription).toMatchObject({
      title: 'Greeting',
      text: 'hello world',
      wordCount: 2,
      edited: false,
      original: null,
    })
  })

  test('when the version is old, then a change is 409, with either form of If-Match', async () => {
    const { id: mediaId, document } = await complete()
    const { version } = document
    expect((await patch(mediaId, { title: 'A' }, { 'if-match': `"${version}"` })).status).toBe(200)
    const late = await patch(mediaId, { title: 'B' }, { 'if-match': `${version}` })
    expect(late).toMatchObject({ status: 409, body: { code: 'version_conflict' } })
    expect((await patch(mediaId, { title: 'B' }, { 'if-match': 'yesterday' })).status).toBe(400)
    expect((await desk.noteOf(mediaId)).title).toBe('A')
    // RFC 9110: `*` matches any current version.
    expect((await patch(mediaId, { title: 'C' }, { 'if-match': '*' })).status).toBe(200)
    expect((await desk.noteOf(mediaId)).title).toBe('C')
  })

  test.each([
    [10, 'one version', 1],
    [12, 'no version', 12],
  ])('when %d changes come at once on %s, then %d are made', async (count, on, made) => {
    const { id, document } = await complete({ userId: 'many' })
    const headers = on === 'one version' ? { 'if-match': `"${document.version}"` } : {}
    const changes = Array.from({ length: count }, (_, at) => patch(id, { title: `T${at}` }, headers, 'many'))
    const answers = await Promise.all(changes)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(made)
    expect((await desk.noteOf(id, 'many')).version).toBe(document.version + made)
  })

  test('when a person sends more than 60 a minute, then the next waits, and others do not', async () => {
    const { id: mediaId } = await complete({ userId: 'eager' })
    for (let sent = 0; sent < 60; sent++)
      expect((await patch('nothing', { title: 'x' }, {}, 'eager')).status).toBe(404)
    const { status, headers } = await patch(mediaId, { title: 'x' }, {}, 'eager')
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await patch('nothing', { title: 'x' }, {}, 'calm')).status).toBe(404)
  })

  test('when text has what no file can hold, then it is replaced, and every file can be read', async () => {
    const { id: mediaId } = await complete()
    const [segment] = (await desk.noteOf(mediaId)).segments
    const text = 'a\0b\x1bc\ud83d d\uffffe\u0085f\n👩‍🎤'
    const { body } = await patch(mediaId, { title: 'x\ud83d', segments: [{ id: segment.id, text }] })
    const clean = 'a b c\ufffd d\ufffde f\n👩‍🎤'
    expect(body.data.transcription).toMatchObject({ title: 'x\ufffd', text: clean })
    await desk.notes.updateOne({ _id: mediaId }, { $set: { segments: [{ ...segment, text }], title: text } })
    const document = await documentIn(mediaId)
    expect(document).toContain('c\ufffd d\ufffde f')
    // XML 1.0, production 2.
    expect(document).not.toMatch(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u)
  })

  test.each([
    ['nothing', {}],
    ['an unknown passage', { segments: [{ id: 'x', text: 'y' }] }],
    ['an empty title', { title: ' ' }],
    ['a title of 10,000 characters', { title: 'x'.repeat(10_000) }],
    ['text and the original at once', { segments: [{ id: '1', text: 'y' }], restore: true }],
  ])('when %s is to be changed, then it answers 400', async (_what, body) => {
    const { id: mediaId } = await complete()
    expect((await patch(mediaId, body)).status).toBe(400)
  })

  test('when one word of an hour changes, then one segment is written, and the rest stays', async () => {
    const { id: mediaId } = await complete()
    const texts = Array.from({ length: 750 }, (_, n) => `seconds number ${n} of an hour`)
    const segments = texts.map((text, n) => ({ id: `${n}`, from: n, to: n + 1, text, confidence: null }))
    const whole = { text: texts.join(' '), segments, wordCount: 4_500, spokenLanguage: 'en', words: ['750'] }
    await desk.notes.updateOne({ _id: mediaId }, { $set: whole })
    const edit = (text: string) => patch(mediaId, { segments: [{ id: '300', text }] })
    await edit('seconds number 300 of the hour')
    const collections = mongoose.mongo.Collection.prototype
    const { updateOne } = collections
    const written: string[] = []
    collections.updateOne = function (filter, update, options) {
      written.push(
        Object.keys((update as { $set?: object }).$set ?? {})
          .sort()
          .join(' '),
      )
      return updateOne.call(this, filter, update, options)
    }
    const { body } = await edit('seconds number three hundred of the hour')
    collections.updateOne = updateOne
    expect(written).toContain('segments.300 text version wordCount words')
    expect(body.data.transcription).toMatchObject({
      wordCount: 4_501,
      text: expect.stringContaining('three'),
    })
    expect((await desk.noteOf(mediaId)).segments).toEqual(body.data.transcription.segments)
  })

  test('when a text becomes more than five times the engine’s and 2,000 characters, then it answers 400', async () => {
    const { id } = await desk.complete(path)
    const { text } = await desk.noteOf(id)
    const most = 5 * text.length + 2_000
    const to = (length: number) => patch(id, { segments: [{ id: '1', text: 'x'.repeat(length) }] })
    expect(await to(most + 1)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'segments', code: 'transcript_too_long' }] },
    })
    expect((await to(most)).status).toBe(200)
    // The limit is relative to the engine's text, not the previous one.
    expect((await to(most + 1)).status).toBe(400)
    expect((await to(10)).status).toBe(200)
  })

  test('when a text becomes too long to be stored, then it answers 400', async () => {
    const { id: mediaId } = await complete()
    const texts = [...Array.from({ length: 200 }, () => 'x'.repeat(4_990)), 'end']
    const segments = texts.map((text, n) => ({ id: `${n}`, from: n, to: n + 1, text }))
    await desk.notes.updateOne({ _id: mediaId }, { $set: { segments, text: texts.join(' ') } })
    const answer = await patch(mediaId, { segments: [{ id: '200', text: 'x'.repeat(4_990) }] })
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'This transcript is too long. Please shorten it.' },
    })
  })
})

describe('an export', () => {
  const fetchFile = async (id: string, query: string) => {
    const response = await desk.fetch(`/api/transcriptions/${id}/export?${query}`, 'u1')
    return { response, text: await response.text() }
  }

  test('when a format is asked for, then the corrected text comes in it, under a good name', async () => {
    const { id: mediaId } = await complete({ fileName: 'a/b: note.ogg' })
    const [segment] = (await desk.noteOf(mediaId)).segments
    await patch(mediaId, { segments: [{ id: segment.id, text: 'one <two> & --> three' }] })
    const { response, text } = await fetchFile(mediaId, 'format=txt')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a b note.txt"')
    expect(text).toBe('[00:00:00] one <two> & --> three\n')
    expect((await fetchFile(mediaId, 'format=txt&times=off')).text).toBe('one <two> & --> three\n')
    expect((await fetchFile(mediaId, 'format=srt')).text).toBe(
      '1\n00:00:00,000 --> 00:00:02,000\none <two> & → three\n',
    )
    expect((await fetchFile(mediaId, 'format=vtt')).text).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\none &lt;two> &amp; → three\n',
    )
    expect(JSON.parse((await fetchFile(mediaId, 'format=json')).text)).toMatchObject({
      text: 'one <two> & --> three',
      segments: [{ from: 0, to: 2 }],
    })
    const docx = await fetchFile(mediaId, 'format=docx')
    expect(docx.text.slice(0, 2)).toBe('PK')
    expect(docx.response.headers.get('content-type')).toContain('wordprocessingml')
    expect((await fetchFile(mediaId, 'format=odt')).response.status).toBe(400)
  })

  test('when nobody spoke for a while, then page, text and document have two paragraphs', async () => {
    const { id: mediaId } = await complete({ fileName: 'PTT-20261120-WA0001.opus' })
    const confidence = null
    const said = (id: string, from: number, text: string) => ({ id, from, to: from + 1, text, confidence })
    const segments = [said('1', 0, 'Um, hello.'), said('2', 1, 'It rains.'), said('3', 4, 'Bye.')]
    await desk.notes.updateOne({ _id: mediaId }, { $set: { segments, text: 'Um, hello. It rains. Bye.' } })
    const document = await desk.noteOf(mediaId)
    expect(document).toMatchObject({ title: 'hello', titleFrom: 'text' })
    expect(document.paragraphs).toEqual([
      { from: 0, to: 2, text: 'Um, hello. It rains.' },
      { from: 4, to: 5, text: 'Bye.' },
    ])
    const { response, text } = await fetchFile(mediaId, 'format=txt&times=off')
    expect(text).toBe('Um, hello. It rains.\n\nBye.\n')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=hello.txt')
    expect((await fetchFile(mediaId, 'format=txt')).text).toBe(
      '[00:00:00] Um, hello. It rains.\n\n[00:00:04] Bye.\n',
    )
    const body = await documentIn(mediaId)
    const paragraphs = [...body.matchAll(/<w:p>.*?<\/w:p>/g)].map(([xml]) => xml.replace(/<[^>]+>/g, ''))
    expect(paragraphs).toEqual([expect.stringMatching(/^Voice note, /), 'Um, hello. It rains.', 'Bye.'])
  })

  test.each([
    ['quotes and lines', 'The "big" day\r\nset-cookie: a=b', 'The big day set-cookie a=b'],
    ['marks that turn text round', 'invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['emoji and Arabic', '👩‍🎤 مرحبا', '👩‍🎤 مرحبا'],
    ['half a character', 'a\ud83d', 'a\ufffd'],
    ['a way out of the folder', '../../ssh', 'ssh'],
    ['nothing that names can have', '../:*?', 'transcript'],
  ])('when the title has %s, then the file’s name is safe and says it', async (_what, title, stem) => {
    const { id: mediaId } = await complete({ title, fileName: 'x.ogg' })
    const header = (await fetchFile(mediaId, 'format=txt')).response.headers.get('content-disposition') ?? ''
    const [, extended] = /filename\*=UTF-8''(\S+)$/.exec(header) ?? []
    const [, plain] = /filename="?([^";]*)"?/.exec(header) ?? []
    expect(extended ? decodeURIComponent(extended) : plain).toBe(`${stem}.txt`)
    expect((await desk.fetch(`/api/transcriptions/${mediaId}/audio?download=1`, 'u1')).status).toBe(200)
  })

  test('when there is no speech, then the file is empty; of a running or failed note it is 409', async () => {
    await sphinx.says()
    const { id: mediaId } = await complete()
    await sphinx.says('hello', 'world')
    const { response, text } = await fetchFile(mediaId, 'format=txt')
    expect([response.status, text]).toEqual([200, ''])
    const { mediaId: failed } = (await desk.receive(path)).data
    await eventually(() => desk.noteOf(failed))
    expect((await fetchFile(failed, 'format=txt')).response.status).toBe(409)
    await desk.exceed(failed)
    await eventually(async () => (await desk.noteOf(failed)).status === 'failed')
    expect((await fetchFile(failed, 'format=txt')).response.status).toBe(409)
  })
})
