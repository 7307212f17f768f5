import { cleanName, nameFor } from './inbound.ts'

const AT = new Date('2026-11-20T14:05:59Z')

test.each([
  ['Voice note', 'audio/ogg; codecs=opus', 'Voice note 2026-11-20 14.05.ogg'],
  ['Audio', 'AUDIO/MPEG', 'Audio 2026-11-20 14.05.mp3'],
  ['Video', 'video/mp4', 'Video 2026-11-20 14.05.mp4'],
  ['Audio', 'application/x-new', 'Audio 2026-11-20 14.05'],
  ['Audio', '', 'Audio 2026-11-20 14.05'],
] as const)('when %s of type “%s” has no name, then it is “%s”', (what, mime, name) => {
  expect(nameFor(what, AT, mime)).toBe(name)
})

test.each([
  ['talk.mp3', 'talk.mp3'],
  ['Grüße 🎙️.ogg', 'Grüße 🎙️.ogg'],
  ['C:\\Users\\Ada\\talk.mp3', 'talk.mp3'],
  ['../../etc/passwd', 'passwd'],
  ['a\u0000b\r\nc.mp3', 'abc.mp3'],
  ['gpj.\u202e3pm', 'gpj.3pm'],
  ['folder/', ''],
  ['  ', ''],
])('when a sender names a file %j, then %j is shown', (given, shown) => {
  expect(cleanName(given)).toBe(shown)
})

test('when a name is too long, then 200 characters are kept, and none is cut in two', () => {
  expect(cleanName('🎙'.repeat(300))).toBe('🎙'.repeat(200))
})
