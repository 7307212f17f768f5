import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { ffmpeg } from './sound.ts'

/** A file that someone might send, under the most deceptive name. */
export interface Hostile {
  name: string
  bytes: Buffer
}

const text = (name: string, ...lines: string[]): Hostile => ({
  name,
  bytes: Buffer.from(`${lines.join('\n')}\n`),
})
const file = (name: string, ...parts: (Buffer | string)[]): Hostile => ({
  name,
  bytes: Buffer.concat(parts.map(part => Buffer.from(part as string))),
})

/** Files that name other files or addresses, here `elsewhere`. */
export function playlists(elsewhere: string): Hostile[] {
  const url = elsewhere.includes('://') ? elsewhere : `file://${elsewhere}`
  return [
    text('a.m3u8', '#EXTM3U', '#EXT-X-TARGETDURATION:10', '#EXTINF:10,', elsewhere, '#EXT-X-ENDLIST'),
    text(
      'b.m3u8',
      '#EXTM3U',
      `#EXT-X-KEY:METHOD=AES-128,URI="${url}"`,
      '#EXTINF:10,',
      elsewhere,
      '#EXT-X-ENDLIST',
    ),
    text('c.m3u8', '#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=1', elsewhere),
    text('d.m3u8', '#EXTM3U', `#EXT-X-MAP:URI="${url}"`, '#EXTINF:10,', `concat:${elsewhere}|${elsewhere}`),
    text('a.ffconcat', 'ffconcat version 1.0', `file '${elsewhere}'`, 'duration 10'),
    text('b.ffconcat', 'ffconcat version 1.0', 'option safe 0', `file 'subfile,,start,0,end,0,,:${url}'`),
    text('list.txt', `file '${elsewhere}'`),
    text(
      'a.sdp',
      'v=0',
      'o=- 0 0 IN IP4 127.0.0.1',
      's=x',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      'm=audio 9 RTP/AVP 0',
    ),
    text('a.edl', '# mpv EDL v0', `${elsewhere},0,10`),
    text('a.pls', '[playlist]', `File1=${elsewhere}`, 'NumberOfEntries=1', 'Version=2'),
    text('a.asx', '<asx version="3.0"><entry>', `<ref href="${url}"/>`, '</entry></asx>'),
    text('b.asx', '[Reference]', `Ref1=${url}`),
    text('a.smil', '<smil><body>', `<audio src="${url}"/>`, '</body></smil>'),
    text(
      'a.xspf',
      '<playlist version="1"><trackList><track>',
      `<location>${url}</location>`,
      '</track></trackList></playlist>',
    ),
    text(
      'a.mpd',
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S"><Period>',
      `<AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${url}</BaseURL>`,
      '</Representation></AdaptationSet></Period></MPD>',
    ),
    text('a.cue', `FILE "${elsewhere}" WAVE`, '  TRACK 01 AUDIO', '    INDEX 01 00:00:00'),
    text('a.rtsp', `RTSPtextrtsp://${url.replace(/^\w+:\/\//, '')}`),
    text(
      'a.svg',
      '<svg xmlns:xlink="http://www.w3.org/1999/xlink">',
      `<image xlink:href="${url}"/>`,
      '</svg>',
    ),
    text('a.avs', `WavSource("${elsewhere}")`),
    text('image%03d.png', elsewhere),
    file('reference.mov', box('ftyp', 'qt  \0\0\0\0qt  '), box('moov', reference(url))),
    file(
      'external.mov',
      box('ftyp', 'qt  \0\0\0\0qt  '),
      box('moov', external(url)),
      box('mdat', Buffer.alloc(64)),
    ),
  ]
}

function box(type: string, ...inside: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(
    inside.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
  return Buffer.concat([number(body.length + 8), Buffer.from(type, 'latin1'), body])
}
function number(value: number, bytes = 4): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64BE(BigInt(value))
  return buffer.subarray(8 - bytes)
}
const zeros = (count: number) => Buffer.alloc(count)

/** A QuickTime reference movie, whose content is elsewhere. */
const reference = (url: string) =>
  box('rmra', box('rmda', box('rdrf', number(0), 'url ', number(url.length + 1), url, zeros(1))))

/** An audio track whose samples are in another file. */
function external(url: string): Buffer {
  const entry = box(
    'sowt',
    zeros(6),
    number(1, 2),
    zeros(8),
    number(1, 2),
    number(16, 2),
    zeros(4),
    number(16_000, 2),
    zeros(2),
  )
  const tables = [
    box('stsd', zeros(4), number(1), entry),
    box('stts', zeros(4), number(1), number(16_000), number(1)),
    box('stsc', zeros(4), number(1), number(1), number(16_000), number(1)),
    box('stsz', zeros(4), number(2), number(16_000)),
    box('stco', zeros(4), number(1), number(44)),
  ]
  // A Macintosh alias: 150 bytes, then the path.
  const path = Buffer.from(url.replace(/^file:\/\//, ''))
  const alias = [
    zeros(150),
    number(2, 2),
    number(path.length, 2),
    path,
    zeros(path.length % 2),
    number(0xffff, 2),
    number(0, 2),
  ]
  const where = box('dinf', box('dref', zeros(4), number(1), box('alis', zeros(4), ...alias)))
  const media = [
    box('mdhd', zeros(12), number(16_000), number(16_000), zeros(4)),
    box('hdlr', zeros(8), 'soun', zeros(13)),
    box('minf', box('smhd', zeros(8)), where, box('stbl', ...tables)),
  ]
  const head = box('tkhd', number(7), zeros(8), number(1), zeros(4), number(16_000), zeros(60))
  return box('trak', head, box('mdia', ...media))
}

interface WavHeader {
  rate?: number
  channels?: number
  bits?: number
  align?: number
  claims?: number
}
/** A WAV file with an arbitrary header. */
function wav({ rate = 16_000, channels = 1, bits = 16, align = 2, claims = 32_000 }: WavHeader): Buffer {
  const header = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0data\0\0\0\0',
    'latin1',
  )
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE((rate * align) % 2 ** 32, 28)
  header.writeUInt16LE(align, 32)
  header.writeUInt16LE(bits, 34)
  header.writeUInt32LE(claims, 40)
  return Buffer.concat([header, Buffer.alloc(32_000, '\x10\x27\xf0\xd8', 'latin1')])
}

const LYING: [string, WavHeader][] = [
  ['claims nothing', { claims: 0 }],
  ['claims 4 GB', { claims: 0xffff_ffff }],
  ['at 0 Hz', { rate: 0 }],
  ['at 1 Hz', { rate: 1 }],
  ['at 7 kHz', { rate: 7_000 }],
  ['at 768 kHz', { rate: 768_000 }],
  ['at 4 GHz', { rate: 0xffff_ffff }],
  ['of 0 channels', { channels: 0 }],
  ['of 64 channels', { channels: 64, align: 128 }],
  ['of 65,535 channels', { channels: 65_535, align: 65_534 }],
  ['of 0 bits', { bits: 0 }],
  ['of 255 bits', { bits: 255, align: 32 }],
  ['of frames of 0 bytes', { align: 0 }],
]

/** A Matroska element with a size of eight bytes. */
function element(id: string, ...inside: Buffer[]): Buffer {
  const body = Buffer.concat(inside)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n))
  return Buffer.concat([Buffer.from(id, 'hex'), size, body])
}
const EBML = element('1a45dfa3', element('4282', Buffer.from('matroska')))

function matroskaOf(streams: number): Buffer {
  const track = (at: number) =>
    element(
      'ae',
      element('d7', number(at + 1, 2)),
      element('73c5', number(at + 1, 2)),
      element('83', number(2, 1)),
      element('86', Buffer.from('A_PCM/INT/LIT')),
    )
  return Buffer.concat([
    EBML,
    element('18538067', element('1654ae6b', ...Array.from({ length: streams }, (_, at) => track(at)))),
  ])
}

function nestedChapters(depth: number): Buffer {
  let chapter = element('91', number(0, 1))
  for (let at = 0; at < depth; at++) chapter = element('b6', chapter)
  return Buffer.concat([EBML, element('18538067', element('1043a770', element('45b9', chapter)))])
}

const synchsafe = (size: number) => Buffer.from([21, 14, 7, 0].map(shift => (size >> shift) & 127))
function id3(...frames: Buffer[]): Buffer {
  const body = Buffer.concat(frames)
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), synchsafe(body.length), body])
}
const frame = (id: string, body: Buffer) =>
  Buffer.concat([Buffer.from(id), number(body.length), zeros(2), body])

/** A picture that claims so many pixels per side, but contains hardly any. */
function hugePicture(side: number): Buffer {
  const chunk = (type: string, body: Buffer) =>
    Buffer.concat([number(body.length), Buffer.from(type), body, zeros(4)])
  const size = Buffer.concat([number(side), number(side), Buffer.from([8, 2, 0, 0, 0])])
  const rows = deflateSync(zeros((side * 3 + 1) * 16))
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', size), chunk('IDAT', rows)])
}

const MAGIC = {
  ogg: 'OggS\0\x02',
  flac: 'fLaC\0\0\0\x22',
  wav: 'RIFF\xff\xff\0\0WAVEfmt ',
  mp3: '\xff\xfb\x90\x64',
  id3: 'ID3\x04\0\0\0\0\x0f\x7f',
  mp4: '\0\0\0\x20ftypisom',
  webm: '\x1a\x45\xdf\xa3',
  aiff: 'FORM\0\0\xff\xffAIFFCOMM',
  amr: '#!AMR\n',
  caf: 'caff\0\x01\0\0desc',
  mpeg: '\0\0\x01\xba',
  ts: '\x47\x40\0\x10',
  aac: '\xff\xf1\x50\x80',
  flv: 'FLV\x01\x04\0\0\0\x09\0\0\0\0',
  asf: '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\0\xaa\0\x62\xce\x6c',
  au: '.snd\0\0\0\x18',
  ac3: '\x0b\x77',
  avi: 'RIFF\xff\xff\0\0AVI LIST',
  zip: 'PK\x03\x04',
  '7z': '7z\xbc\xaf\x27\x1c',
  xz: '\xfd7zXZ\0',
  rar: 'Rar!\x1a\x07\x01\0',
}

/** Returns the same bytes for a seed on every machine. */
const noise = (seed: number, length: number): Buffer =>
  Buffer.from(fc.sample(fc.uint8Array({ minLength: length, maxLength: length }), { seed, numRuns: 1 })[0]!)

/** Corrupts a few places of a file: bytes are changed, removed, doubled or zeroed. */
function spoilt(bytes: Buffer, seed: number): Buffer {
  const place = fc.record({
    at: fc.nat(bytes.length - 1),
    how: fc.constantFrom('change', 'cut', 'double', 'zero'),
    value: fc.nat(255),
    length: fc.integer({ min: 1, max: 64 }),
  })
  return fc.sample(place, { seed, numRuns: 12 }).reduce((done, { at, how, value, length }) => {
    const [before, there, after] = [
      done.subarray(0, at),
      done.subarray(at, at + length),
      done.subarray(at + length),
    ]
    const instead = {
      change: Buffer.alloc(there.length, value),
      cut: zeros(0),
      double: Buffer.concat([there, there]),
      zero: zeros(there.length),
    }
    return Buffer.concat([before, instead[how], after])
  }, bytes)
}

const REAL: [ending: string, ...options: string[]][] = [
  ['ogg', '-c:a', 'libopus'],
  ['mp3'],
  ['wav'],
  ['flac'],
  ['m4a'],
  ['aac'],
  ['webm', '-c:a', 'libopus'],
  ['mpeg'],
]

/** All hostile files that can do harm without a network or another file. */
export async function hostileFiles(folder: string, seeds: number[]): Promise<Hostile[]> {
  const real: Hostile[] = []
  for (const [ending, ...options] of REAL) {
    const path = join(folder, `real.${ending}`)
    await ffmpeg('-f', 'lavfi', '-i', 'sine=frequency=440:duration=1', ...options, path)
    real.push({ name: `real.${ending}`, bytes: await readFile(path) })
  }
  const mp3 = real.find(({ name }) => name === 'real.mp3')!.bytes
  const sound = wav({})
  return [
    { name: 'nothing.ogg', bytes: zeros(0) },
    { name: 'one-byte.ogg', bytes: zeros(1) },
    { name: 'zeros.mp3', bytes: zeros(1_000_000) },
    text('text.ogg', 'Not sound. '.repeat(999)),
    { name: 'sound.wav.gz', bytes: gzipSync(sound) },
    file(
      'sound.zip',
      Buffer.from('PK\x03\x04\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1'),
      zeros(8),
      'a.wav',
      sound,
    ),
    { name: 'sound.tar', bytes: Buffer.concat([Buffer.from('a.wav'.padEnd(512, '\0')), sound]) },
    ...LYING.map(([what, header]) => ({ name: `${what}.wav`, bytes: wav(header) })),
    { name: 'streams.mkv', bytes: matroskaOf(5_000) },
    { name: 'chapters.mkv', bytes: nestedChapters(5_000) },
    {
      name: 'chapters.mp3',
      bytes: Buffer.concat([
        id3(
          ...Array.from({ length: 5_000 }, (_, at) =>
            frame('CHAP', Buffer.from(`c${at}\0${'\0'.repeat(16)}`)),
          ),
        ),
        mp3,
      ]),
    },
    {
      name: 'cover.mp3',
      bytes: Buffer.concat([
        id3(
          frame('APIC', Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), hugePicture(16_000)])),
        ),
        mp3,
      ]),
    },
    ...real.flatMap(({ name, bytes }) =>
      [0.1, 0.5, 0.9].map(share => ({
        name: `${share}-of-${name}`,
        bytes: bytes.subarray(0, bytes.length * share),
      })),
    ),
    ...seeds.flatMap(seed => [
      ...Object.entries(MAGIC).map(([ending, magic]) =>
        file(`noise-${seed}.${ending}`, Buffer.from(magic, 'latin1'), noise(seed, 2_000)),
      ),
      ...real.map(({ name, bytes }) => ({ name: `spoilt-${seed}-${name}`, bytes: spoilt(bytes, seed) })),
    ]),
  ]
}

/** Writes a hostile file and returns its path. */
export async function written({ name, bytes }: Hostile, folder: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}
