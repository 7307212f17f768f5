import { joined, type SavedPart, withoutOverlaps } from '@voxscribe/speech'
import type { NoteRecord } from '../note/record.ts'
import { partialOf } from './partial.ts'

const part = (from: number, to: number, text: string, engine = 'local whisper-base') => ({
  from,
  to,
  engine,
  asked: 'auto',
  language: 'en',
  timesExact: true,
  segments: [{ id: '1', from, to, text, confidence: null, noSpeech: null }],
})
const minute = 60_000
/** A note of 90 seconds, after a minute of recognition. */
const note = (...parts: object[]) =>
  ({
    status: 'processing',
    spoken: null,
    spokenSoFar: [0, 14, 20, 90],
    durationSeconds: 90,
    timeline: [{ step: 'listening', at: new Date(Date.now() - minute) }],
    work: { since: new Date() },
    parts,
  }) as unknown as NoteRecord

test('when parts finish out of order, then the text is that of the beginning', () => {
  expect(partialOf(note(part(44, 90, 'Three.')))).toBeNull()
  expect(partialOf(note(part(44, 90, 'Three.'), part(0, 14.2, 'One.')))).toEqual({
    text: 'One.',
    seconds: 14.2,
    secondsLeft: expect.any(Number),
  })
})

test('when only silence lies between finished parts, then both are the text', () => {
  const both = note(part(19.8, 44, 'Two.'), part(0, 14.2, 'One.'))
  expect(partialOf(both)).toMatchObject({ text: 'One. Two.', seconds: 44 })
})

test('when another engine went on with the note, then only its parts count', () => {
  expect(partialOf(note(part(0, 14.2, 'Old.', 'openai x'), part(0, 14.2, 'New.')))?.text).toBe('New.')
})

test('when a minute has brought 45 of 90 seconds, then the rest takes another; before it has begun, nobody knows', () => {
  const half = note(part(0, 45, 'Half.'))
  expect(partialOf(half)?.secondsLeft).toBeCloseTo(60, -1)
  expect(partialOf({ ...half, timeline: [] })?.secondsLeft).toBeNull()
})

test('when nothing is finished, or the note is over, then there is none', () => {
  expect(partialOf(note())).toBeNull()
  expect(partialOf({ ...note(part(0, 14, 'One.')), status: 'completed' })).toBeNull()
})

/** Three parts of speech without a pause; each repeats the last two seconds of the one before. */
const SEAMS = [
  part(0, 15, 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen.'),
  part(13, 44, 'Thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one.'),
  part(42, 90, 'Twenty twenty-one twenty-two twenty-three twenty-four.'),
]
const unbroken = (...parts: object[]) => ({ ...note(...parts), spokenSoFar: [0, 90] })
const wholeText = joined(withoutOverlaps(SEAMS as unknown as SavedPart[]), null).text

test.each([
  ['in order', [0, 1, 2]],
  ['out of order', [2, 0, 1]],
])('when parts that overlap finish %s, then each text begins the next one, and the last', (_how, order) => {
  const done: object[] = []
  const texts = order.map(at => {
    done.push(SEAMS[at]!)
    return partialOf(unbroken(...done))?.text ?? ''
  })
  expect(texts.at(-1)).toBe(wholeText)
  for (const [at, text] of texts.entries()) expect(texts[at + 1] ?? wholeText).toContain(text)
  const lengths = texts.map(text => text.length)
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
  for (const text of texts) expect(wholeText.startsWith(text)).toBe(true)
})

test('when speech goes on beyond a part, then the words that the next one repeats wait for it', () => {
  expect(partialOf(unbroken(SEAMS[0]!))).toMatchObject({ seconds: 15 })
  expect(partialOf(unbroken(SEAMS[0]!))?.text).toMatch(/^One two .* nine ten\b.*(?<!fourteen)\.?$/)
})

test('when a part ends where two stretches of speech meet, then all of it is the text', () => {
  const met = { ...note(SEAMS[0]!), spokenSoFar: [0, 14.9, 15.1, 90] }
  expect(partialOf(met)?.text).toMatch(/fourteen\.$/)
})

test('when the person has replacements, then they are written, and the passage that may go on waits', () => {
  const spoken = { ...part(0, 14.2, 'I met Jon.'), timesExact: true }
  spoken.segments.push({ ...spoken.segments[0]!, text: 'He says new' })
  const { text } = partialOf(note(spoken), [{ heard: 'Jon', write: 'John' }])!
  expect(text).toBe('I met John.')
})

test('when an engine was in a loop, then its words stay once, as in the whole text', () => {
  const loop = note(part(0, 14.2, `I met ${'John, '.repeat(60)}and left.`), part(19.8, 44, 'Then I slept.'))
  expect(partialOf(loop)?.text).toBe('I met John, and left. Then I slept.')
})

test('when words are repeated at the end, then they wait for the next part, which may go on with them', () => {
  const first = part(0, 14.2, 'I said no, no, no,')
  const texts = ['no, no, no to him.', `${'no, '.repeat(30)}no to him.`].map(
    next => partialOf(note(first, part(19.8, 90, next)))?.text,
  )
  const begun = partialOf(note(first))?.text ?? ''
  expect(begun).toBe('I said no,')
  expect(texts).toEqual(['I said no, no, no, no, no, no to him.', 'I said no, to him.'])
})

test('when a number ends in the same digit, then four of it do not wait, which stay of any loop', () => {
  for (const times of [4, 9, 60]) {
    const text = `It is${' 5'.repeat(times)}`
    expect(partialOf(note(part(0, 14.2, text)))?.text).toBe('It is 5 5 5 5')
  }
})
