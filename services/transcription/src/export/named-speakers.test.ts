import { text } from 'node:stream/consumers'
import { i18nFor } from '@voxscribe/languages/node'
import { type Entry, fromBufferPromise } from 'yauzl'
import { NoteRecord } from '../note/record.ts'
import { exported } from './export.ts'
import type { ExportFormat } from './formats.ts'

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

async function bytes(
  format: ExportFormat,
  name: string | null,
  withSpeakers = true,
  language: 'en' | 'de' = 'en',
) {
  const options = {
    i18n: i18nFor(language),
    publicUrl: 'https://vox.example',
    withTimes: false,
    withSpeakers,
  }
  return Buffer.from((await exported(noteWith(name), format, options)).content)
}
const file = async (...asked: Parameters<typeof bytes>) => String(await bytes(...asked))

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
})

async function wordsOfDocx(docx: Buffer): Promise<string> {
  const zip = await fromBufferPromise(docx, { lazyEntries: true })
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>)
    if (entry.fileName === 'word/document.xml') return text(await zip.openReadStreamPromise(entry))
  return ''
}

const NAMES = ['👩‍👩‍👧', 'عدا', 'x'.repeat(200), '<v evil>', 'a --> b', '*A* [b](c) #_`', '&amp; "Q" \'']

test.each(NAMES)('when a voice is called %s, then every file has it, and reads as before', async name => {
  expect(await file('txt', name)).toContain(`${name}: Good.`)
  expect(JSON.parse(await file('json', name)).speakers[0]).toEqual({ id: '1', name })
  const cue = name.replace('-->', '→')
  const srt = await file('srt', name)
  expect(srt).toContain(`\n${cue}: Did you see it?\n`)
  expect(srt.match(/-->/g)).toHaveLength(3)
  const vtt = await file('vtt', name)
  const [, voice = ''] = /<v ([^>]*)>Did you see it\?/.exec(vtt) ?? []
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }
  expect(voice.replace(/&(lt|gt|amp);/g, each => entities[each] ?? each)).toBe(cue)
  expect(vtt.match(/-->/g)).toHaveLength(3)
  const md = await file('md', name)
  expect(md.replaceAll('\\', '')).toContain(`**${name}:** Good.`)
  const docx = await wordsOfDocx(await bytes('docx', name))
  const escaped = new Map([
    ['&', '&amp;'],
    ['<', '&lt;'],
    ['>', '&gt;'],
    ['"', '&quot;'],
    ["'", '&apos;'],
  ])
  expect(docx).toContain(`${name.replace(/[&<>"']/g, sign => escaped.get(sign) ?? sign)}: <`)
  expect(String(await bytes('pdf', name)).slice(0, 5)).toBe('%PDF-')
})

test('when speakers are off, then a file is as if nobody had been told apart', async () => {
  expect(await file('txt', 'Ada', false)).toBe('Did you see it? Yes. Good.\n')
  expect(await file('vtt', 'Ada', false)).not.toContain('<v')
  expect(await file('json', 'Ada', false)).not.toContain('"speaker"')
})
