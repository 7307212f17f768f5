import { fileNameFor, safeFileName } from './file-names.ts'

test.each([
  ['CON', '.txt', 'CON_.txt'],
  ['aux.ogg', '.srt', 'aux_.srt'],
  ['meeting.WMV', '.txt', 'meeting.txt'],
  ['Prn. ', '.de.vtt', 'Prn_.de.vtt'],
  ['com¹', '.json', 'com¹_.json'],
  ['nul.backup', '.txt', 'nul_.backup.txt'],
  ['LPT9', '', 'LPT9_'],
  ['conin$', '.txt', 'conin$_.txt'],
  ['Contract', '.txt', 'Contract.txt'],
  ['COM10', '.txt', 'COM10.txt'],
  ['con', ' (estimated times).srt', 'con (estimated times).srt'],
  ['And then we …', '.pdf', 'And then we.pdf'],
  [' .. ', '.txt', 'transcript.txt'],
  ['a/b\\c:d*e?f"g<h>i|j\u0000k', '.txt', 'a b c d e f g h i j k.txt'],
])('when a note is called %j, then its file %j is %j', (title, ending, name) => {
  expect(fileNameFor(title, ending)).toBe(name)
})

test.each([
  ['CON.mp3', 'CON_.mp3'],
  ['lpt1 .tar.gz', 'lpt1_ .tar.gz'],
  ['voice.ogg. . ', 'voice.ogg'],
  ['../x.ogg', 'x.ogg'],
])('when a file came as %j, then it is taken away as %j', (name, safe) => {
  expect(safeFileName(name)).toBe(safe)
})
