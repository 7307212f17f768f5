import { i18nFor } from '@voxscribe/languages/node'
import { NoteRecord } from '../note/record.ts'
import { type ExportFormat, exported } from './export.ts'

const line = (id: string, from: number, text: string, speaker: string) => ({
  ...{ id, from, to: from + 2, text, speaker },
  confidence: null,
})
const noteWith = (name: string | null) =>
  ({
    ...NoteRecord.partial().parse({ fileName: 'talk.ogg', createdAt: new Date(0), language: 'en' }),
    _id: 'n1',
    source: { channel: 'web' },
    durationSeconds: 6,
    timesExact: true,
    text: 'Did you see it? Yes. Good.',
    segments: [line('1', 0, 'Did you see it?', '1'), line('2', 2, 'Yes.', '2'), line('3', 4, 'Good.', '1')],
    speakers: [
      { id: '1', name },
      { id: '2', name: null },
    ],
  }) as unknown as NoteRecord

async function file(
  format: ExportFormat,
  name: string | null,
  withSpeakers = true,
  language: 'en' | 'de' = 'en',
) {
  const manner = { i18n: i18nFor(language), publicUrl: 'https://vox.example', withTimes: false, withSpeakers }
  return String((await exported(noteWith(name), format, manner)).content)
}

test('when speakers are told apart, then files have their names, in the reader’s language', async () => {
  expect(await file('txt', 'Ada')).toBe('Ada: Did you see it?\n\nSpeaker 2: Yes.\n\nAda: Good.\n')
  expect(await file('txt', 'Ada', true, 'de')).toContain('Stimme 2: Yes.')
  expect(await file('md', 'Ada')).toContain('**Ada:** Did you see it?')
  expect(await file('srt', 'Ada')).toContain('00:00:00,000 --> 00:00:02,000\nAda: Did you see it?\n')
  expect(await file('vtt', 'Ada')).toContain('\n<v Ada>Did you see it?\n')
  expect(JSON.parse(await file('json', 'Ada'))).toMatchObject({
    speakers: [{ id: '1', name: 'Ada' }, { id: '2' }],
  })
})

test('when a name is not to be trusted, then it opens no tag and no cue', async () => {
  expect(await file('vtt', '<v evil> -->')).toContain('<v &lt;v evil&gt; →>Did you see it?')
  const srt = await file('srt', 'a --> b')
  expect(srt.match(/-->/g)).toHaveLength(3)
  for (const name of ['👩‍👩‍👧', 'عدا', 'x'.repeat(200)])
    expect(await file('txt', name)).toContain(`${name}: Good.`)
})

test('when speakers are off, then a file is as if nobody had been told apart', async () => {
  expect(await file('txt', 'Ada', false)).toBe('Did you see it? Yes. Good.\n')
  expect(await file('vtt', 'Ada', false)).not.toContain('<v')
  expect(await file('json', 'Ada', false)).not.toContain('"speaker"')
})
