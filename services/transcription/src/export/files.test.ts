import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { i18nFor } from '@voxscribe/languages/node'
import { eventually } from '@voxscribe/service/testing'
import { folderOfTests } from '@voxscribe/speech/testing'
import { parse } from 'yaml'
import { type NoteRecord, NoteRecord as Record } from '../note/record.ts'
import { exported, inLanguage } from './export.ts'
import { transcriptsOf } from './export-many.ts'
import { contentOf } from './formats.ts'

const folder = folderOfTests()

const texts = [
  'مرحبا بك في مشروع البناء الجديد، نلتقي مع WhatsApp يوم الأحد',
  'नमस्ते, हिन्दी में विद्यार्थी की किताब और श्री प्रकाश के वर्षों का कर्म',
  'สวัสดีครับ วันนี้อากาศดีมาก น้ำอยู่ที่นี่ ใช่ไหม',
  'Office *stars* [link](x) – naïve, 5 < 6, #strong[no] $x$ \\ “quotes”',
]
const segments = texts.map((text, at) => ({
  id: `${at + 1}`,
  from: at * 70,
  to: at * 70 + 60,
  text,
  confidence: null,
}))
const noteWith = (more: Partial<NoteRecord> = {}) =>
  Record.parse({
    _id: 'n1',
    userId: 'u1',
    traceId: 't',
    source: { channel: 'whatsapp' },
    fileName: 'PTT-1.ogg',
    bytes: 9,
    objectKey: null,
    language: 'auto',
    createdAt: new Date('2026-11-20T14:05:00Z'),
    status: 'completed',
    stage: null,
    since: new Date(),
    timeline: [],
    durationSeconds: 270,
    segments,
    text: texts.join(' '),
    timesExact: true,
    title: 'Yes: "no" #1',
    tags: ['obra', '2024', 'no'],
    spokenLanguage: 'no',
    sha256: 'ab'.repeat(32),
    ...more,
  }) as NoteRecord
async function file(format: 'md' | 'pdf', note = noteWith(), withTimes?: boolean) {
  const { content } = await exported(note, format, {
    i18n: i18nFor('en'),
    publicUrl: 'https://vox.example',
    withTimes,
  })
  return content
}

const MANNER = { i18n: i18nFor('en'), publicUrl: 'https://vox.example' }
const { signal } = new AbortController()

test.each(['srt', 'vtt', 'docx', 'md'] as const)(
  'when the text is long, then another process makes its %s',
  async format => {
    const long = Array.from({ length: 400 }, (_, at) => ({
      ...{ id: `${at}`, from: at * 4, to: at * 4 + 4, confidence: null },
      text: '東京都の会議室で会いましょう。'.repeat(10),
    }))
    const text = long.map(segment => segment.text).join('')
    const making = exported(noteWith({ text, segments: long }), format, MANNER)
    await eventually(() => process.getActiveResourcesInfo().includes('ProcessWrap'))
    const { content } = await making
    const here = await contentOf(noteWith({ text, segments: long }), format, MANNER)
    if (format !== 'docx') expect(`${content}`).toBe(`${here}`)
    else expect(content.length).toBeGreaterThan(1_000)
  },
)

test('Word has the title, an author, and paragraphs from right to left', async () => {
  const { content } = await exported(noteWith({ title: 'Yes' }), 'docx', MANNER)
  const path = join(folder, 'note.docx')
  writeFileSync(path, content)
  const part = (name: string) => `${spawnSync('unzip', ['-p', path, name]).stdout}`
  expect(part('docProps/core.xml')).toMatch(/<dc:title>Yes<.*<dc:creator>Voxscribe</s)
  const [arabic = '', hindi = ''] = part('word/document.xml')
    .split('<w:p>')
    .filter(each => /مرحبا|नमस्ते/.test(each))
  expect(arabic).toMatch(/<w:bidi\/>.*<w:rtl\/>/s)
  expect(hindi).not.toMatch(/<w:bidi\/>|<w:rtl\/>/)
})

describe('Markdown', () => {
  test('has the day that it was where its person is', async () => {
    expect(await file('md')).toContain('date: 2026-11-20\n')
    expect(await file('md', noteWith({ timeZone: 'Pacific/Auckland' }))).toContain('date: 2026-11-21\n')
  })

  test('has the facts as YAML that means the same to every reader, and paragraphs with times as links', async () => {
    const text = `${await file('md')}`
    const [, front = '', body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
    const facts = {
      title: 'Yes: "no" #1',
      language: 'no',
      duration: '4:30',
      source: 'whatsapp',
      tags: ['obra', '2024', 'no'],
    }
    expect(parse(front, { version: '1.1', schema: 'yaml-1.1' })).toMatchObject(facts)
    expect(parse(front)).toEqual({ ...facts, date: '2026-11-20' })
    expect(front).toMatch(/^source: whatsapp$/m)
    const lines = (body ?? '').trim().split('\n\n')
    expect(lines[1]).toBe(`[1:10](https://vox.example/transcriptions/n1?t=70) ${texts[1]}`)
    expect(lines[3]).toContain(
      '\\*stars\\* \\[link\\](x) – naïve, 5 \\< 6, \\#strong\\[no\\] \\$x\\$ \\\\ “quotes”',
    )
  })
  test.each([
    ['Tom &amp; Jerry &#38; &#x26;', 'Tom \\&amp; Jerry \\&\\#38; \\&\\#x26;'],
    ['a %% b %%, c == d ==, 5 % = x', 'a \\%\\% b \\%\\%, c \\=\\= d \\=\\=, 5 % = x'],
    ['Q&A; AT&T, a & b', 'Q\\&A; AT&T, a & b'],
  ])('keeps what would be another sign’s name: %s', async (text, written) => {
    const segments = [{ id: '1', from: 0, to: 1, text, confidence: null }]
    expect(`${await file('md', noteWith({ segments }), false)}`).toContain(`\n${written}\n`)
  })

  test('has no times when they are off, no sign of Markdown’s at the start of a line, and no tag when there is none', async () => {
    const plain = noteWith({
      tags: [],
      segments: [{ id: '1', from: 0, to: 1, text: '1. first', confidence: null }],
    })
    expect(await file('md', plain, false)).toMatch(/\ntags: \[\]\n---\n\n1\\\. first\n$/)
  })
})

describe('PDF', () => {
  const textIn = (pdf: Buffer | string) =>
    spawnSync('pdftotext', ['-', '-'], { input: pdf })
      .stdout.toString()
      .replace(/[\u202a-\u202e]/g, '')
      .replace(/\s+/g, ' ')
      .normalize('NFC')
  const wordsOf = (text: string) => text.split(/[\s،]+/)
  const hasReader = spawnSync('pdftotext', ['-v']).status === 0
  const check = hasReader ? test : test.skip

  check(
    'has title, facts and text, in Arabic, Hindi, Thai and Latin letters that can be copied out',
    async () => {
      const text = textIn(await file('pdf'))
      for (const fact of [
        'Yes: "no" #1',
        'November 20, 2026',
        '4m 30s',
        'Norwegian',
        '#obra #2024 #no',
        'ab'.repeat(32),
      ])
        expect(text).toContain(fact)
      const words = wordsOf(text)
      for (const passage of texts)
        for (const word of wordsOf(passage)) expect(words.join(' ')).toContain(word)
      expect(text).not.toContain('1:10')
      expect(textIn(await file('pdf', noteWith(), true))).toMatch(/1:10 नमस्ते/)
      expect(textIn(await file('pdf', noteWith({ timeZone: 'Pacific/Auckland' })))).toContain(
        'November 21, 2026',
      )
    },
  )
  check(
    'marks what a person has corrected, in their own words only, and is read from right to left in Arabic',
    async () => {
      const changed = segments.map(segment =>
        segment.id === '4' ? { ...segment, text: 'Office heard that' } : segment,
      )
      const original = { text: '', wordCount: 0, segments: changed }
      const note = noteWith({
        original,
        translations: { de: { segments: [{ id: '4', text: 'Büro' }] } as never },
      })
      expect(textIn(await file('pdf', note))).toContain('The marked words were corrected by hand.')
      const german = textIn(await file('pdf', inLanguage(note, 'de')))
      expect(german).toContain('Büro')
      expect(german).not.toContain('corrected')
      const { content } = await exported(note, 'pdf', { i18n: i18nFor('ar'), publicUrl: '' })
      expect(textIn(content as Buffer)).toContain('2026')
    },
  )
  check(
    'certified has times, what was corrected with the words before, and the digests of both texts',
    async () => {
      const heard = segments.map(segment =>
        segment.id === '4' ? { ...segment, text: 'Office *sars* [link](x)' } : segment,
      )
      const note = noteWith({ original: { text: 'as heard', wordCount: 2, segments: heard } })
      const options = { i18n: i18nFor('en'), publicUrl: '', isCertified: true }
      const { name, content } = await exported(note, 'pdf', options)
      expect(name).toMatch(/[^.…] \(with checksums\)\.pdf$/)
      const certified = textIn(content as Buffer)
      const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
      for (const part of [
        'PTT-1.ogg',
        'ab'.repeat(32),
        'SHA-256 of the text',
        digestOf(note.text),
        'SHA-256 of the original text',
        digestOf('as heard'),
        '3:30 Office *stars* [link](x)',
        'Corrected by hand; originally: Office *sars* [link](x)',
        'The marked words were corrected by hand.',
      ])
        expect(certified).toContain(part)
      expect(certified.match(/originally/g)).toHaveLength(1)
      expect(textIn(await file('pdf', note))).not.toContain('originally')
      expect(textIn((await exported(noteWith(), 'pdf', options)).content as Buffer)).not.toContain(
        'original text',
      )
    },
  )
  const saying = (text: string) =>
    noteWith({ text, segments: [{ id: '1', from: 0, to: 1, text, confidence: null }] })
  async function fontsOf(note: NoteRecord) {
    const { stdout } = spawnSync('pdffonts', ['-'], { input: await file('pdf', note) })
    return [...`${stdout}`.matchAll(/^[A-Z]{6}\+(\S+)/gm)].map(([, name]) => name ?? '')
  }
  check('has no font but ours, whatever this machine has', async () => {
    const fonts = await fontsOf(noteWith())
    expect(fonts.length).toBeGreaterThan(3)
    expect(fonts.filter(name => !/^NotoSans(Arabic|Devanagari|Thai)?-/.test(name))).toEqual([])
  })
  check('shows at most 30 marks on a letter, as drawing thousands would take minutes', async () => {
    const shown = textIn(await file('pdf', saying(`a${'\u0301'.repeat(500)} then the end`)))
    expect(shown).toContain('then the end')
    expect(shown.match(/\p{M}/gu)?.length ?? 0).toBeLessThanOrEqual(30)
  })
  check('shows emoji, also joined ones and those in titles', async () => {
    const emoji = '👍🏽 ❤️ 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 😂😂'
    const note = { ...saying(`Great ${emoji}`), title: 'Party 🎈' }
    expect((await fontsOf(note)).sort()).toEqual([
      'NotoEmoji-Bold',
      'NotoEmoji-Regular',
      'NotoSans-Bold',
      'NotoSans-Regular',
    ])
    expect(textIn(await file('pdf', note))).toContain(emoji)
  })
  check.each([
    ['Latin', 'x'.repeat(60_000)],
    ['Hindi', 'नमस्ते'.repeat(100)],
    ['Arabic', 'مرحبا'.repeat(100)],
    ['a link', `https://example.com/${'ab12'.repeat(50)}`],
  ])('breaks a word that is longer than a line: %s', async (_, word) => {
    const lettersIn = (text: string) => [...text].filter(letter => letter === word.at(-1)).length
    const written = textIn(await file('pdf', saying(word)))
    expect(lettersIn(written)).toBeGreaterThanOrEqual(lettersIn(word))
  })
  test.each(['你好，世界', 'こんにちは', '안녕하세요', 'আমার সোনার বাংলা', 'வணக்கம்'])(
    'of letters that our fonts do not have is refused: %s',
    async text => {
      const segments = [{ id: '1', from: 0, to: 1, text, confidence: null }]
      const refused = { status: 409, code: 'pdf_not_in_this_script' }
      await expect(file('pdf', noteWith({ text, segments }))).rejects.toMatchObject(refused)
      await expect(file('pdf', noteWith({ title: text }))).rejects.toMatchObject(refused)
      const zip = transcriptsOf([noteWith({ text, segments })] as never, 'pdf', MANNER, signal)
      const [{ name, content } = { name: '', content: '' }] = await Array.fromAsync(zip)
      expect([name, `${content}`]).toEqual(['Left out.txt', expect.stringContaining('choose Word')])
    },
  )
  test.each([
    ['auto', 'en'],
    ['yue', 'pt'],
  ] as const)('of a note in %s, read in %s, is made', async (language, reader) => {
    const note = noteWith({ language, spokenLanguage: null })
    const { content } = await exported(note, 'pdf', { ...MANNER, i18n: i18nFor(reader) })
    expect(content.slice(0, 5).toString()).toBe('%PDF-')
  })
  test('of nothing is a page of facts, and of a title without a space it is not wider than its page', async () => {
    const pdf = await file('pdf', noteWith({ title: 'a'.repeat(200), segments: [], text: '' }))
    expect(pdf.slice(0, 5).toString()).toBe('%PDF-')
  })
})
