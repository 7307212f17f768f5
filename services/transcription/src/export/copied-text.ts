import { deflateSync, inflateSync } from 'node:zlib'

// Typst writes a raised or lowered mark, such as an Arabic dot or a Thai tone, as a separate run of glyphs, and both
// runs carry the text of the whole letter, so a copy has the letter twice. This module empties the text of the marks'
// runs, by an incremental update appended to the file (ISO 32000-1, 7.5.6).

/** Matches a run of glyphs: its height on the page, and its instructions. */
const RUN = /q\n1 0 0 -1 \S+ (\S+) cm\n[\s\S]*?\nET\nQ/g
/** Matches the replacement text of glyphs. */
const OWN_TEXT = /\/Span <<\n {2}\/ActualText <\w*>\n>> BDC\n|EMC\n/g
const GLYPHS = /\([^()]*\)/g
/** Marks are moved by fewer points than this; lines are further apart. */
const MOVED_MAX = 9
const PAGES = /\n(\d+) 0 obj\n<<\n[^>]*\/Filter \/FlateDecode\n[^>]*>>\nstream\n([\s\S]*?)\nendstream/g

interface Run {
  at: number
  height: number
  glyphs: number
}

/** Returns the height of most of a line's glyphs. */
function baseOf(line: Run[]): number {
  const glyphs = new Map<number, number>()
  for (const run of line) glyphs.set(run.height, (glyphs.get(run.height) ?? 0) + run.glyphs)
  return [...glyphs].reduce((most, each) => (each[1] > most[1] ? each : most), [0, -1])[0]
}

function withoutMarks(page: string): string {
  const lines: Run[][] = []
  for (const { 0: run, 1: height, index: at } of page.matchAll(RUN)) {
    const glyphs = (run.match(GLYPHS) ?? []).join('').length
    const next = { at, height: Number(height), glyphs }
    const last = lines.at(-1)
    if (last && Math.abs((last.at(-1)?.height ?? 0) - next.height) < MOVED_MAX) last.push(next)
    else lines.push([next])
  }
  const marks = new Set(
    lines.flatMap(line => line.filter(({ height }) => height !== baseOf(line)).map(({ at }) => at)),
  )
  return page.replace(RUN, (run, _, at: number) =>
    marks.has(at) ? `/Span << /ActualText <FEFF> >> BDC\n${run.replace(OWN_TEXT, '')}\nEMC` : run,
  )
}

function unpacked(stream: string): string {
  try {
    return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
  } catch {
    return ''
  }
}

/** Returns a PDF by Typst, changed so that each letter is copied once. */
export function withTextOnce(pdf: Buffer): Buffer {
  const file = pdf.toString('latin1')
  const [, previous] = /startxref\n(\d+)\n%%EOF\s*$/.exec(file) ?? []
  const [, size, root, info = ''] =
    /\ntrailer\n<<\n {2}\/Size (\d+)\n {2}\/Root (\d+ 0 R)\n(?: {2}\/Info (\d+ 0 R)\n)?/.exec(file) ?? []
  const parts = [pdf]
  const table: string[] = []
  let end = pdf.length
  const append = (part: Buffer) => {
    parts.push(part)
    end += part.length
  }
  for (const [, number, stream = ''] of file.matchAll(PAGES)) {
    const page = unpacked(stream)
    const next = withoutMarks(page)
    if (next === page) continue
    const content = deflateSync(Buffer.from(next, 'latin1'))
    table.push(`${number} 1\n${String(end).padStart(10, '0')} 00000 n\r\n`)
    append(Buffer.from(`${number} 0 obj\n<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`))
    append(content)
    append(Buffer.from('\nendstream\nendobj\n'))
  }
  if (!previous || !table.length) return pdf
  const trailer = `/Size ${size} /Root ${root} ${info && `/Info ${info} `}/Prev ${previous}`
  append(Buffer.from(`xref\n${table.join('')}trailer\n<< ${trailer} >>\nstartxref\n${end}\n%%EOF\n`))
  return Buffer.concat(parts)
}
