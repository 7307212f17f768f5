import { randomBytes } from 'node:crypto'
import { eventually } from '../testing/eventually.ts'
import { chatOf, newNumber, type Person, signUp } from '../testing/person.ts'
import { fileWith, recognised, recordingAs, SENTENCE, tone, voiceNote, wordsOf } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'

/** ffmpeg's input for a black video with this frame rate. */
const film = (rate: number) => ['-f', 'lavfi', '-i', `color=black:s=64x64:r=${rate}`]
/**
 * Files that a person attaches, with ffmpeg's options to create them. All ten formats are tested elsewhere: decoding in
 * ffmpeg.slow.test.ts, acceptance by name and bytes in file.test.ts.
 */
const FORMATS: [name: string, ...encoding: string[]][] = [
  ['talk.mp3', '-c:a', 'libmp3lame', '-b:a', '64k'],
  ['talk.m4a', '-c:a', 'aac'],
  ['talk.mp4', ...film(5), '-shortest', '-c:v', 'libx264', '-c:a', 'aac'],
]
const SILENT_FILM = ['silent-film.mp4', ...film(5), '-t', '2', '-map', '1:v', '-c:v', 'libx264'] as const

/** From a voice note to its text through the public interfaces, on every backing. */
export function noteToTextCases(system: () => System): void {
  let person: Person
  beforeEach(async () => {
    person = await signUp(system())
  })

  test('when audio files and a video are sent, then each is transcribed', async () => {
    const send = async ([name, ...encoding]: (typeof FORMATS)[number]) =>
      person.sendNote(await recordingAs(name, ...encoding), { kind: 'document' })
    await Promise.all(FORMATS.map(send))
    const notes = await person.ended(FORMATS.length)
    const isHeard = (text: string) => recognised(wordsOf(SENTENCE), text) >= 0.5
    expect(
      new Set(notes.map(({ fileName, status, text }) => [fileName, status, isHeard(text ?? '')])),
    ).toEqual(new Set(FORMATS.map(([name]) => [name, 'completed', true])))
  })

  test('when a file is uploaded, then it is transcribed like a note, without a chat message', async () => {
    const upload = (path: string, key: string) =>
      person.upload(path, { name: 'talk.ogg', title: 'Monday’s talk', key })
    const path = await voiceNote('upload.ogg')
    const first = await upload(path, 'one')
    expect(first).toMatchObject({
      status: 201,
      data: { data: { transcription: { status: 'processing' } } },
    })
    const [note] = await person.ended(1)
    expect(recognised(wordsOf(SENTENCE), note?.text ?? '')).toBeGreaterThanOrEqual(0.6)
    const again = await upload(path, 'one')
    expect(again).toMatchObject({ status: 200, data: { data: { transcription: { id: note?.id } } } })
    expect(await upload(fileWith('huge.wav', Buffer.alloc(17 * 1024 * 1024)), 'two')).toMatchObject({
      status: 413,
      data: { code: 'too_large' },
    })
    // The answer to a later note proves that the file got none.
    await person.sendNote(await voiceNote('by-chat.ogg'), { voice: true })
    await person.ended(2)
    expect(await person.replies(1)).toHaveLength(1)
  })

  test('when the same audio comes again, then the first text is the answer and costs nothing', async () => {
    const path = await voiceNote()
    await person.sendNote(path, { voice: true })
    const [first] = await person.ended(1)
    expect((await person.upload(path, { name: 'talk.ogg' })).status).toBe(201)
    await person.ended(2)
    await person.sendNote(path, { voice: true })
    const notes = await person.ended(3)
    const notice = `Same as ${first?.title} of ${first?.date}`
    for (const note of notes.slice(0, 2)) expect(note).toMatchObject({ notice, text: first?.text })
    const [, reply] = await person.replies(2)
    expect(reply?.text).toContain(first?.text)
    expect(reply?.text).toMatch(new RegExp(`Same as .* of .*${first?.date.slice(0, 4)}, free`))
    await eventually('the first is the only one charged', async () => {
      const { usage } = (await person.http.get('/stripe/usage')).data.data
      expect(usage.map(({ seconds }: { seconds: number }) => seconds > 0)).toEqual([false, false, true])
      expect(usage[2]).toMatchObject({ transcriptionId: first?.id, title: first?.title })
      expect(usage[2].reserved).toBeUndefined()
    })
  })

  test('when a webhook arrives three times, then there is one transcription, charge and reply', async () => {
    await person.sendNote(await voiceNote(), { voice: true, repeat: 3 })
    await person.ended(1)
    await person.replies(1)
    // A second note proves that the first one is complete.
    await person.sendNote(await voiceNote('second.ogg'), { voice: true })
    await person.ended(2)
    expect(await person.replies(2)).toHaveLength(2)
    expect((await person.transcriptions()).statistics.total).toBe(2)
    await eventually('each note is charged once', async () => {
      const usage = (await person.http.get('/stripe/usage')).data.data.usage as { reserved?: true }[]
      expect(usage.map(({ reserved }) => reserved)).toEqual([undefined, undefined])
    })
  })

  test('when a note is longer than the minutes left, then it fails and nothing is charged', async () => {
    await person.sendNote(await tone('long.wav', 31), { kind: 'document' })
    const [note] = await person.ended(1)
    const [reply] = await person.replies(1)
    expect(note?.status).toBe('failed')
    expect(note?.error).toMatch(/minutes/)
    expect(reply?.text).toMatch(/minutes/)
    expect(await person.plan()).toMatchObject({ used_minutes: 0, remaining_minutes: 30 })
  })

  test('when a file is unusable, then history and chat give the reason', async () => {
    await person.sendNote(fileWith('letter.ogg', 'Dear reader, this is a letter.'), {
      kind: 'document',
      mimeType: 'audio/ogg',
    })
    await person.sendNote(
      fileWith('broken.mp3', Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), randomBytes(20_000)])),
      { kind: 'document' },
    )
    await person.sendNote(fileWith('big.wav', Buffer.alloc(17 * 1024 * 1024)), { kind: 'document' })
    await person.sendNote(await recordingAs(...SILENT_FILM), { kind: 'document' })
    const notes = await person.ended(4)
    const replies = await person.replies(4)
    for (const note of notes) {
      expect(note.status).toBe('failed')
      expect(note.error).toMatch(/\w+ \w+.*\.$/)
    }
    expect(notes.find(note => note.fileName === 'big.wav')?.error).toMatch(/16 MB/)
    expect(new Set(replies.map(reply => reply.quoted?.id)).size).toBe(4)
    expect(await person.plan()).toMatchObject({ used_minutes: 0, remaining_minutes: 30 })
  })

  test('when a stranger writes, then the answer says how to sign up, once', async () => {
    const stranger = chatOf(system(), `1${newNumber()}`)
    await stranger.sendNote(await voiceNote('stranger.ogg'), { voice: true })
    const answers = async () => (await stranger.messages()).filter(message => message.direction === 'in')
    const first = await eventually('an answer', async () => (await answers())[0] ?? null)
    expect(first.text).toContain('/signup')
    await stranger.sendNote(await voiceNote('again.ogg'), { voice: true })
    // The known person's note arrives later: once it is answered, the stranger's has been handled.
    await person.sendNote(await voiceNote(), { voice: true })
    await person.replies(1)
    expect(await answers()).toHaveLength(1)
  })
}
