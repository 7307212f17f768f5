import { join } from 'node:path'
import { NoteCommandReceived } from '@voxscribe/contracts/events'
import type { Segment } from '@voxscribe/contracts/http'
import { eventually } from '@voxscribe/service/testing'
import {
  changed,
  fakeSphinx,
  ffmpeg,
  folderOfTests,
  interview,
  librivox,
  MODELS,
  readers,
  withRealSpeech,
} from '@voxscribe/speech/testing'
import { deskFor, SOURCE } from '../testing.ts'

const who = (segments: Segment[], words: RegExp) =>
  segments.filter(({ text }) => words.test(text)).map(({ speaker }) => speaker)
const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu)

withRealSpeech('an interview, with real models', () => {
  const SPEAKER_MODEL = join(MODELS, 'speakers/resemblyzer.onnx')
  const recordings = folderOfTests()
  const here = deskFor(() => ({ MODEL_DIR: MODELS, SPEAKER_MODEL, SPHINX_COMMAND: '/nowhere/sphinx' }))

  test('when each speaks on a side of their own, then they are told apart by themselves, left first', async () => {
    const { id, done } = await here.desk.complete(await interview(recordings, 2))
    const note = await here.desk.noteOf(id)
    expect(note.speakers).toEqual([
      { id: '1', name: null },
      { id: '2', name: null },
    ])
    expect(note.voices).toBe(2)
    expect(new Set(who(note.segments, /dashwood|norland|estate|sussex/i))).toEqual(new Set(['1']))
    expect(new Set(who(note.segments, /meters|forward/i))).toEqual(new Set(['2']))
    expect(words(note.segments.map(({ text }: Segment) => text).join(' '))).toEqual(words(note.text))
    const times = note.segments.flatMap(({ from, to }: Segment) => [from, to])
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
    expect(note.paragraphs.map(({ speaker }: { speaker: string }) => speaker).slice(0, 3)).toEqual([
      '1',
      '2',
      '1',
    ])
    expect(done.text).toContain('Speaker 2: ')
  })

  test('when all is on one channel, then voices tell, and the words stay', async () => {
    const { id } = await here.desk.complete(await interview(recordings, 1))
    const before = await here.desk.noteOf(id)
    expect([before.speakers, before.voices]).toEqual([[], null])
    const path = `/transcriptions/${id}/speakers`
    const [asked, again] = [
      await here.desk.call('POST', path, 'u1', { body: { count: 2 } }),
      await here.desk.call('POST', path, 'u1', { body: { count: 2 } }),
    ]
    expect(asked.status).toBe(202)
    expect(again).toMatchObject({ status: 409, body: { code: 'speakers_under_way' } })
    const note = await eventually(async () => {
      const read = await here.desk.noteOf(id)
      return read.speakers.length > 0 && read
    })
    expect(note).toMatchObject({ text: before.text, version: before.version + 1, speakersProgress: null })
    expect(note.speakers).toHaveLength(2)
    expect(words(note.segments.map(({ text }: Segment) => text).join(' '))).toEqual(words(before.text))
    expect(new Set(who(note.segments, /dashwood|norland|estate|sussex/i))).toEqual(new Set(['1']))
    expect(new Set(who(note.segments, /meters|forward/i))).toEqual(new Set(['2']))
    // A name is kept with its voice.
    await here.desk.call('PATCH', `/transcriptions/${id}`, 'u1', {
      body: { speakers: [{ id: '2', name: 'Bob' }] },
    })
    await here.desk.call('POST', path, 'u1', { body: {} })
    const named = await eventually(async () => {
      const read = await here.desk.noteOf(id)
      return read.speakersProgress === null && read
    })
    expect(named.speakers).toEqual([
      { id: '1', name: null },
      { id: '2', name: 'Bob' },
    ])
    // Another count joins the same lines differently.
    await here.desk.call('POST', path, 'u1', { body: { count: 1 } })
    const one = await eventually(async () => {
      const read = await here.desk.noteOf(id)
      return read.speakers.length === 1 && read
    })
    expect(one.segments.map(({ id, text }: Segment) => [id, text])).toEqual(
      before.segments.map(({ id, text }: Segment) => [id, text]),
    )
  })

  const ask = (id: string, count?: number, { desk } = here) =>
    desk.call('POST', `/transcriptions/${id}/speakers`, 'u1', { body: count ? { count } : {} })
  const withSpeakers = (id: string, { desk } = here) =>
    eventually(async () => {
      const read = await desk.noteOf(id)
      return read.speakersProgress === null && read
    })
  const made = (name: string, filter: string, from = librivox()[0]!.path) =>
    changed(from, filter, join(recordings, `${name}.flac`))
  const allWords = (note: { segments: Segment[] }) => words(note.segments.map(({ text }) => text).join(' '))

  test.each([
    ['silence', 'anullsrc=r=16000'],
    ['music', 'aevalsrc=0.3*sin(2*PI*(262+65*floor(mod(3*t\\,5)))*t)+0.3*sin(2*PI*131*t)'],
  ])('when a note is %s, then nobody is told apart', async (name, source) => {
    const path = join(recordings, `${name}.flac`)
    await ffmpeg('-f', 'lavfi', '-i', source, '-t', '25', '-ar', '16000', path)
    const { id } = await here.desk.complete(path)
    const { status, body } = await ask(id, 2)
    expect([status, body.code]).toEqual([409, 'no_text'])
    expect(await here.desk.noteOf(id)).toMatchObject({ speakers: [], text: '' })
  })

  test.each([
    ['one of them empty', 'pan=stereo|c0=c0|c1=0*c0'],
    ['one 30 ms later', 'asplit[a][b];[b]adelay=30[c];[a][c]amerge'],
    ['one an echo of the other', 'asplit[a][b];[b]adelay=250,volume=0.3[c];[a][c]amerge'],
  ])('when two channels are one person, %s, then nobody is told apart by itself', async (name, filter) => {
    const { id } = await here.desk.complete(
      await made(name, `aresample=16000,aformat=channel_layouts=mono,${filter}`),
    )
    expect(await here.desk.noteOf(id)).toMatchObject({ speakers: [] })
  })

  test('when two people are heard on each other’s channel as an echo, then they are told apart', async () => {
    const path = await interview(recordings, 2)
    const echo =
      'asplit[a][b];[b]adelay=150|150,pan=stereo|c0=0.2*c1|c1=0.2*c0[c];[a][c]amix=inputs=2:normalize=0'
    const { id } = await here.desk.complete(await made('echoes', echo, path))
    const note = await here.desk.noteOf(id)
    expect(note.speakers).toHaveLength(2)
    expect(new Set(who(note.segments, /dashwood|norland|estate|sussex/i))).toEqual(new Set(['1']))
  })

  // The text is arbitrary, one word per second; only the voices are real.
  const live = deskFor(async folder => {
    const sphinx = await fakeSphinx(folder)
    await sphinx.says(...Array.from({ length: 30 }, (_, at) => `word${at}`))
    return { MODEL_DIR: MODELS, SPEAKER_MODEL, SPEECH_ENGINE: 'sphinx', SPHINX_COMMAND: sphinx.command }
  })

  test('when one person is asked about as two, then there are two, and no word is lost', async () => {
    const { id } = await live.desk.complete(librivox()[0]!.path)
    const before = await live.desk.noteOf(id)
    expect((await ask(id, 2, live)).status).toBe(202)
    const note = await withSpeakers(id, live)
    expect([note.speakers.length, note.text, allWords(note)]).toEqual([2, before.text, words(before.text)])
    // Without a given count, one speaker is found.
    await ask(id, undefined, live)
    expect((await withSpeakers(id, live)).speakers).toHaveLength(1)
  })

  test('when six speak in 20 s, then as many are found as were told, and times go on', async () => {
    const { id } = await live.desk.complete(await readers(recordings))
    await ask(id, 6, live)
    const note = await withSpeakers(id, live)
    expect(note.speakers).toHaveLength(6)
    const times = note.segments.flatMap(({ from, to }: Segment) => [from, to])
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
  })

  test('when two commands ask for different counts, then the second replaces the first, and each has one answer', async () => {
    const { id } = await live.desk.complete(await interview(recordings, 1))
    const asked = [3, 2].map((count, at) =>
      NoteCommandReceived.create({
        userId: 'u1',
        command: { name: 'speakers', count },
        noteId: id,
        source: { ...SOURCE, messageId: `wamid.SPEAKERS${at}` },
      }),
    )
    const { version } = await live.desk.noteOf(id)
    for (const event of asked) {
      void live.desk.bus.publish(event).catch(() => {})
      const isFirst = { _id: id, 'askedSpeakers.by': asked[0]?.id }
      await eventually(() => live.desk.stored('transcriptions').findOne(isFirst))
    }
    const answersTo = (event: { id: string }) =>
      live.desk.bus.sent('NoteCommandDone').filter(({ causeId }) => causeId === event.id)
    for (const event of asked) await eventually(() => answersTo(event).length > 0)
    expect(asked.map(event => answersTo(event).map(({ data }) => data.outcome.kind))).toEqual([
      ['opened'],
      ['opened'],
    ])
    const note = await live.desk.noteOf(id)
    expect(note).toMatchObject({ version: version + 2, speakersProgress: null })
    expect(note.speakers).toHaveLength(2)
  })

  describe('while speakers are being told apart', () => {
    /** Begins a note of half a minute whose voices are being compared. */
    async function begun() {
      const { id, event } = await live.desk.complete(await interview(recordings, 1))
      const before = await live.desk.noteOf(id)
      expect((await ask(id, 2, live)).status).toBe(202)
      expect((await live.desk.noteOf(id)).speakersProgress).not.toBeNull()
      return { id, before, event }
    }

    test('when it is cancelled, then the text is as before, and it can be asked for again', async () => {
      const { id, before } = await begun()
      const { body } = await live.desk.call('DELETE', `/transcriptions/${id}/speakers`)
      expect(body.data.transcription).toMatchObject({
        speakersProgress: null,
        speakers: [],
        version: before.version,
      })
      expect((await ask(id, 2, live)).status).toBe(202)
      expect(await withSpeakers(id, live)).toMatchObject({
        text: before.text,
        speakers: [{ id: '1' }, { id: '2' }],
      })
    })

    test('when it is corrected, named and retitled, then that stays', async () => {
      const { id, before } = await begun()
      const [{ id: first }] = before.segments
      const edit = { title: 'Talk', segments: [{ id: first, text: 'A corrected line' }] }
      expect((await live.desk.call('PATCH', `/transcriptions/${id}`, 'u1', { body: edit })).status).toBe(200)
      const note = await withSpeakers(id, live)
      expect(note).toMatchObject({ title: 'Talk', edited: true, speakers: [{ id: '1' }, { id: '2' }] })
      expect(allWords(note)?.slice(0, 3)).toEqual(['a', 'corrected', 'line'])
      expect(allWords(note)).toEqual(words(note.text))
    })

    test('when it is transcribed again, then the new text has no speakers', async () => {
      const { id, before } = await begun()
      await live.desk.refresh(id)
      expect((await ask(id, undefined, live)).body.code).toBe('already_processing')
      await live.desk.finish(id, 2)
      expect(await live.desk.noteOf(id)).toMatchObject({
        speakers: [],
        speakersProgress: null,
        text: before.text,
      })
    })

    test('when it is deleted, then it is gone', async () => {
      const { id } = await begun()
      await live.desk.remove(id)
      expect(await live.desk.noteOf(id)).toBeUndefined()
    })

    test('when it is shared, then its readers see the text, and then who says what', async () => {
      const { id, before } = await begun()
      const shared = await live.desk.call('POST', `/transcriptions/${id}/share`, 'u1', { body: { days: 1 } })
      const [, key] = shared.body.data.url.split('/s/')
      const read = async () => (await (await live.desk.fetch(`/api/shared/${key}`)).json()).data
      expect(await read()).toMatchObject({ text: before.text, speakers: [] })
      await withSpeakers(id, live)
      expect(await read()).toMatchObject({ text: before.text, speakers: [{ id: '1' }, { id: '2' }] })
    })

    test('when its audio goes, then the text stays', async () => {
      const { id, before, event } = await begun()
      await live.desk.removeAudio(event)
      expect(await withSpeakers(id, live)).toMatchObject({ text: before.text })
    })

    test('when the service stops and starts, then it goes on', async () => {
      const { id, before } = await begun()
      await live.desk.restart()
      expect(await withSpeakers(id, live)).toMatchObject({
        text: before.text,
        speakers: [{ id: '1' }, { id: '2' }],
      })
    })
  })
})
