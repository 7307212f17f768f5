import { join } from 'node:path'
import type { Segment } from '@voxscribe/contracts/http'
import { eventually } from '@voxscribe/service/testing'
import { librivox, MODELS, withRealSpeech } from '../testing/recordings.ts'
import { deskFor, ffmpeg } from '../testing.ts'

const DATA = '/usr/share/pocketsphinx/test/data'
const man = (name: string) => ['-f', 's16le', '-ar', '16000', '-ac', '1', '-i', `${DATA}/${name}.raw`]

/** An interview: a woman reads, and a man gives orders between her sentences. */
async function interview(folder: string, channels: 1 | 2): Promise<string> {
  const [one, two, three] = librivox().map(({ path }) => ['-i', path])
  const turns = [one, man('numbers'), two, man('something'), three, man('goforward')]
  const inputs = turns.flatMap(turn => turn ?? [])
  // Left: even turns, right: odd ones; each is silent while the other speaks.
  const sides = turns.map((_, at) =>
    channels === 1
      ? `[${at}]aresample=16000,loudnorm,aformat=channel_layouts=mono[t${at}]`
      : `[${at}]aresample=16000,loudnorm,pan=stereo|${at % 2 ? 'c0=0*c0|c1=c0' : 'c0=c0|c1=0*c0'}[t${at}]`,
  )
  const graph = `${sides.join(';')};${turns.map((_, at) => `[t${at}]`).join('')}concat=n=${turns.length}:v=0:a=1`
  const path = join(folder, `interview-${channels}.flac`)
  await ffmpeg(...inputs, '-filter_complex', graph, '-ar', '16000', path)
  return path
}

const who = (segments: Segment[], words: RegExp) =>
  segments.filter(({ text }) => words.test(text)).map(({ speaker }) => speaker)
const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu)

withRealSpeech('an interview, with real models', () => {
  const SPEAKER_MODEL = join(MODELS, 'speakers/resemblyzer.onnx')
  const here = deskFor(() => ({ MODEL_DIR: MODELS, SPEAKER_MODEL, SPHINX_COMMAND: '/nowhere/sphinx' }))

  test('when each speaks on a side of their own, then they are told apart by themselves, left first', async () => {
    const { id, done } = await here.desk.complete(await interview(here.folder, 2))
    const note = await here.desk.noteOf(id)
    expect(note.speakers).toEqual([
      { id: '1', name: null },
      { id: '2', name: null },
    ])
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
    const { id } = await here.desk.complete(await interview(here.folder, 1))
    const before = await here.desk.noteOf(id)
    expect(before.speakers).toEqual([])
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
    expect(who(note.segments, /meters|forward/i)).toContain('2')
    // Another count cuts the same lines elsewhere.
    await here.desk.call('POST', path, 'u1', { body: { count: 1 } })
    const one = await eventually(async () => {
      const read = await here.desk.noteOf(id)
      return read.speakers.length === 1 && read
    })
    expect(one.segments.map(({ id, text }: Segment) => [id, text])).toEqual(
      before.segments.map(({ id, text }: Segment) => [id, text]),
    )
  })
})
