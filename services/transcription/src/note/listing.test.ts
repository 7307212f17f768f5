import { isMachineName, titled } from './listing.ts'

describe('a file’s name', () => {
  test.each([
    'Audio 2026-11-22 21.24.ogg',
    'Voice note 2026-11-20 14.05.ogg',
    'PTT-20261120-WA0001.opus',
    'AUD-20261120-WA0012.m4a',
    'VID-20261120-WA0003.mp4',
    'WhatsApp Audio 2026-11-20 at 10.15.30 AM.opus',
    'WhatsApp Ptt 2026-11-20 at 10.15.30.ogg',
    'WhatsApp Video 2026-11-20 at 10.15.30 (1).mp4',
    'voice.ogg',
    'Voice 001.m4a',
    'voice_message-3.ogg',
    'Voicemail-77.amr',
    'recording.wav',
    'Recording (3).mp3',
    'REC0001.WAV',
    'New Recording 12.m4a',
    'Neue Aufnahme 4.m4a',
    'Nueva grabación 4.m4a',
    'audio.mp3',
    'audio',
    'file_12.oga',
    'file.unknown',
    '20261120-142233.m4a',
    '0b7c2a9e-6a51-4f0e-9d3c-2f1f6a0c9b11.ogg',
    'IMG_1234.MOV',
    '录音 12.m4a',
    '.ogg',
    '',
  ])('%j is a machine’s', name => expect(isMachineName(name)).toBe(true))

  test.each([
    'Monday call with Ben.ogg',
    'note.ogg',
    'Voice lessons with Ada.m4a',
    'Recording of the board.mp3',
    'Audiobook.mp3',
    '2026-11-20 standup.m4a',
    'New plans.mp3',
    'عيد ميلاد.ogg',
    '会议.mp3',
    'Interview 3',
  ])('%j is a person’s', name => expect(isMachineName(name)).toBe(false))
})

const fileName = 'PTT-20261120-WA0001.opus'
const fromText = (text: string, spokenLanguage = 'en') =>
  titled({ title: null, fileName, text, spokenLanguage })
const THAI = 'พรุ่งนี้ฉันจะไปตลาดเพื่อซื้อผักและผลไม้สำหรับทำอาหารเย็นให้ครอบครัวของฉันที่บ้าน'
const LONG = 'I will be about ten minutes late because the train has stopped at a red light again.'

describe('a title', () => {
  test.each([
    ['short text', 'Buy milk and bread.', 'Buy milk and bread'],
    ['a question', 'Are you there?', 'Are you there?'],
    ['fillers first', 'Um, uh... erm, so we meet at nine.', 'so we meet at nine'],
    ['a filler without a comma', 'Um I wanted to ask you', 'I wanted to ask you'],
    ['line breaks', 'First line\r\n\nsecond\u2028line', 'First line second line'],
    ['emoji in front', '🎉🎉 Party at Ben’s 🎈', 'Party at Ben’s 🎈'],
    ['an opening quotation mark', '“Never again,” she said', '“Never again,” she said'],
    ['an amount', '$50 are missing', '$50 are missing'],
    ['characters that turn text round', '\u202eabc def', 'abc def'],
    ['control characters', 'a\u0000b\u0007c', 'a b c'],
    ['more than fits', LONG, 'I will be about ten minutes late because the train has'],
    ['more than one sentence', 'Call Dr. Weiss. Then buy milk.', 'Call Dr. Weiss'],
    ['a word longer than the title', 'a'.repeat(10_000), 'a'.repeat(60)],
    ['German', 'Um acht Uhr kommt er', 'Um acht Uhr kommt er', 'de'],
    ['German', 'Ähm, er kommt um acht.', 'er kommt um acht', 'de'],
    ['Portuguese', 'Um abraço para todos', 'Um abraço para todos', 'pt'],
    ['Arabic', 'سأتأخر عشر دقائق اليوم', 'سأتأخر عشر دقائق اليوم', 'ar'],
    ['Hebrew', 'אני אאחר בעשר דקות.', 'אני אאחר בעשר דקות', 'he'],
    ['Japanese', 'えっと、明日会いましょう。', '明日会いましょう', 'ja'],
    ['French', 'Euh, on se voit demain ?', 'on se voit demain ?', 'fr'],
    ['Thai, without spaces', THAI, 'พรุ่งนี้ฉันจะไปตลาดเพื่อซื้อผักและผลไม้สำหรับทำอาหารเย็นให้', 'th'],
    ['emoji without end after a word', `Hi${'👩‍👩‍👧‍👦'.repeat(2_000)}`, `Hi${'👩‍👩‍👧‍👦'.repeat(5)}`],
  ])('of %s is its first words', (_, text, title, language = 'en') => {
    expect(title.length).toBeLessThanOrEqual(60)
    expect(fromText(text, language)).toEqual({ title, titleFrom: 'text' })
  })

  test.each(['', ' \n ', 'um, uh', 'Um. Uh... hmm, mm', '🎉🎈', '… — !'])(
    'of %j is the file’s name',
    text => {
      expect(fromText(text)).toEqual({ title: fileName, titleFrom: 'none' })
    },
  )

  test('is the file’s name as it was sent when a person gave it', () => {
    const note = { title: null, fileName: 'Call with Ben.ogg', text: LONG, spokenLanguage: 'en' }
    expect(titled(note)).toEqual({ title: 'Call with Ben.ogg', titleFrom: 'file' })
  })

  test.each([
    ['Ben comes at eight.', 'Ben comes at eight'],
    [LONG, 'I will be about ten minutes late because the train has'],
  ])('is the first line of a gist: %s', (line, title) => {
    const gist = { lines: [line, 'More.'], tasks: [], language: 'en', model: 'm', at: new Date(), of: '' }
    expect(titled({ title: null, fileName, text: 'Hello.', gist })).toEqual({ title, titleFrom: 'gist' })
  })

  test('is always what its person typed', () => {
    expect(titled({ title: 'audio', fileName, text: LONG })).toEqual({ title: 'audio', titleFrom: 'person' })
  })
})
