import { createI18n, english, inTimeZone } from '@voxscribe/languages'
import { ReasonSchema } from '../wire/reason.ts'
import { isKnown, noticeOf, reason, sentenceOf } from './reasons.ts'

test('when minutes do not suffice, then the sentence says what is needed, left, when and where', () => {
  const short = reason('out_of_minutes', {
    seconds: 52.3,
    remainingSeconds: 20.9,
    periodEnd: '2026-12-01T00:00:00.000Z',
    plans: 'https://vox.example/pricing',
  })
  expect(sentenceOf(english, short)).toBe(
    'This note is 52s long, but you have only 20s left. New minutes arrive on December 1, 2026, ' +
      'or get more now: https://vox.example/pricing. Then transcribe it again from your history.',
  )
})

test('when an engine knows some languages only, then the sentence names them', () => {
  const facts = { language: 'de', known: ['en', 'fr'] }
  expect(sentenceOf(english, reason('language_not_supported', facts))).toContain('German')
  expect(sentenceOf(english, reason('language_not_supported', facts))).toContain('(English, French)')
  expect(sentenceOf(english, reason('language_not_supported', { ...facts, known: 'all' }))).toContain(
    'another language or auto',
  )
})

test('when a file is of the wrong size or kind, then the limits are the product’s', () => {
  expect(sentenceOf(english, reason('too_large'))).toContain('16 MB')
  expect(sentenceOf(english, reason('not_audio_or_video'))).toContain(
    'MP3, WAV, FLAC, M4A, AAC, OGG, MP4, MPEG or WEBM.',
  )
})

test.each(['a_code_of_tomorrow', 'constructor'])(
  'when the code is %s, then there is a sentence nonetheless',
  code => {
    expect(sentenceOf(english, ReasonSchema.parse({ code }))).toBe(
      sentenceOf(english, reason('transcription_failed')),
    )
  },
)

test.each([
  [reason('refresh_failed', reason('no_speech')), true],
  [reason('refresh_failed', { code: 'a_code_of_tomorrow' }), false],
  [{ code: 'refresh_failed' }, false],
  [{ code: 'constructor' }, false],
])('when it is asked whether %j has a sentence, then %s', (one, known) => {
  expect(isKnown(one)).toBe(known)
})

test('when a text is that of another note, then its day is the reader’s', () => {
  const day = { title: 'Monday', day: '2026-11-20' }
  const same = reason('same_as', { ...day, at: '2026-11-20T20:55:00.000Z' })
  const german = createI18n('de', { 'Same as {title} of {day}': 'Wie {title} vom {day}' })
  const inDelhi = inTimeZone(german, 'Asia/Kolkata')
  expect(sentenceOf(english, same)).toBe('Same as Monday of 2026-11-20')
  expect(sentenceOf(inDelhi, same)).toBe('Wie Monday vom 21. November 2026')
  expect(sentenceOf(inDelhi, reason('same_as', day))).toBe('Wie Monday vom 20. November 2026')
})

test('when that note has no name, then it is called as the reader calls it', () => {
  const at = '2026-11-20T20:55:00.000Z'
  const same = reason('same_as', { title: 'Voice note 2026-11-20 20.55.ogg', day: '2026-11-20', at })
  expect(sentenceOf(inTimeZone(english, 'Asia/Kolkata'), same)).toMatch(
    /^Same as Voice note of Nov 21\D.*2:25\sAM of November 21, 2026$/,
  )
})

test('when there are several notices, then they are read as one; codes of tomorrow are left out', () => {
  const why = reason('refresh_failed', reason('audio_deleted'))
  expect(noticeOf(english, [why, { code: 'a_code_of_tomorrow' }, reason('doubtful')])).toBe(
    'We couldn’t transcribe this note again. The audio was deleted before it could be transcribed. Please send it again. ' +
      'We’re not sure about this text. Please check it against the recording.',
  )
  expect(noticeOf(english, [])).toBeNull()
})
