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
/** Of 90 seconds, listened to for a minute. */
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
