import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileWith, recordingAs, SENTENCE_FILE } from './speech.ts'

/** Result of a file: its words, `silent`, the code of a failed note, or that of a refusal at the upload. */
export type Outcome = 'said' | 'some' | 'silent' | (string & {})

/** An unusual file, made from a sentence of 6 s. */
export interface OddFile {
  name: string
  make(): Promise<string>
  outcome: Outcome
  /** Default: 6. */
  seconds?: number
  /** Words that its text must contain. */
  words?: string[]
  /** Codes of the notices that it must have, if any. */
  notices?: string[]
}

const SECONDS = 6
const COLOUR = (seconds: number) => ['-f', 'lavfi', '-i', `color=c=red:s=64x64:r=5:d=${seconds}`]
const SILENCE = ['-f', 'lavfi', '-t', '6', '-i', 'anullsrc=r=16000:cl=mono']
const AAC = ['-c:a', 'aac', '-b:a', '64k']

/** The sentence in this encoding. */
const said = (name: string, ...encoding: string[]): OddFile => ({
  name,
  make: () => recordingAs(name, ...encoding),
  outcome: 'said',
})
/** The sentence in several channels, by ffmpeg's filter `pan`. */
const panned = (name: string, pan: string, ...encoding: string[]) =>
  said(name, '-af', `pan=${pan}`, ...encoding)
/** A recording with changed bytes. */
const changed = (
  name: string,
  encoding: string[],
  change: (bytes: Buffer) => Buffer,
  rest: Partial<OddFile> = {},
) => ({
  name,
  make: async () => fileWith(name, change(readFileSync(await recordingAs(`whole-${name}`, ...encoding)))),
  outcome: 'said' as Outcome,
  ...rest,
})
const bytes = (name: string, content: Buffer | string, outcome: Outcome, seconds = 0): OddFile => ({
  name,
  make: async () => fileWith(name, content),
  outcome,
  seconds,
})
/** The sentence with a pause after 3 s in which nothing was recorded. */
const paused = (name: string, pause: number, ...codec: string[]): OddFile => ({
  ...said(name, '-af', `asetpts='if(gt(T,3),PTS+${pause}/TB,PTS)'`, ...codec),
  seconds: SECONDS + pause,
})

const cut =
  (from: number, to = 1) =>
  (whole: Buffer) =>
    whole.subarray(Math.round(whole.length * from) || 0, Math.round(whole.length * to))
/** Drops the first bytes, so that the file begins inside a frame. */
const inside = (whole: Buffer) => whole.subarray(50)
function overwrite(old: string, fresh: string, bytes: Buffer): Buffer {
  const at = bytes.indexOf(old, 0, 'latin1')
  bytes.write(fresh, at, 'latin1')
  return bytes
}
/** Turns the first track into one with an unknown codec. */
const unknownFirst = (whole: Buffer) => overwrite('esds', 'skip', overwrite('mp4a', 'apac', whole))
const number = (at: number, value: number) => (wav: Buffer) => {
  wav.writeUInt32LE(value, at)
  return wav
}
const PLAIN_WAV = ['-fflags', '+bitexact', '-map_metadata', '-1']
const NO_TAGS = ['-id3v2_version', '0', '-write_xing', '0', '-map_metadata', '-1']

/** Creates a WAV file with 16-bit samples at 16 kHz. */
function wav(samples: number): Buffer {
  const header = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80>\0\0\0}\0\0\x02\0\x10\0data\0\0\0\0',
    'latin1',
  )
  header.writeUInt32LE(2 * samples, 40)
  return Buffer.concat([
    header,
    Buffer.from(Int16Array.from({ length: samples }, (_, at) => (at % 9 < 5 ? 20_000 : -20_000)).buffer),
  ])
}
/** Adds a tag of 5 MB for a picture, as shops put before songs. */
function tagged(song: Buffer): Buffer {
  const size = 5_000_000
  const header = Buffer.from([73, 68, 51, 3, 0, 0, ...[21, 14, 7, 0].map(shift => (size >> shift) & 127)])
  return Buffer.concat([header, Buffer.alloc(size), song])
}
/** Encodes a file as phones of 2004 did; sox has the encoder. */
async function amr(name: string): Promise<string> {
  const path = fileWith(name, '')
  execFileSync('sox', [SENTENCE_FILE, '-r', '8000', '-t', 'amr-nb', path])
  return path
}
const withSox = existsSync('/usr/bin/sox')
  ? [{ name: 'phone.amr', make: () => amr('phone.amr'), outcome: 'said' }]
  : []

/**
 * Channels that cancel each other, silent and foreign tracks, pauses, covers and lying headers reach the engine as
 * decoded: packages/speech/src/audio/ffmpeg.slow.test.ts and queue/bad-audio.slow.test.ts test each kind.
 */
export const ODD_FILES: OddFile[] = [
  // Layouts.
  panned('opposite.ogg', 'stereo|c0=c0|c1=-1*c0', '-c:a', 'libopus'),
  panned('centre-alone.m4a', '5.1|FC=c0', ...AAC, '-b:a', '192k'),
  // Tracks and pictures.
  changed(
    'unknown-then-silent.mp4',
    [...SILENCE, '-map', '0', '-map', '1', '-map', '0', ...AAC],
    unknownFirst,
  ),
  said(
    'cover.m4a',
    ...COLOUR(1),
    '-map',
    '0',
    '-map',
    '1',
    ...AAC,
    '-c:v',
    'mjpeg',
    '-disposition:v',
    'attached_pic',
  ),
  // Times.
  paused('paused-for-20-minutes.webm', 1_200, '-c:a', 'libopus', '-b:a', '32k'),
  { ...paused('paused-for-a-day.mkv', 86_400, '-c:a', 'flac'), outcome: 'too_long_here', seconds: 0 },
  // ffmpeg treats a time above 30 hours as a mistake.
  { ...paused('paused-for-30-years.mkv', 1e9, '-c:a', 'libopus'), seconds: SECONDS },
  said('before-zero.mp4', '-output_ts_offset', '-0.5', ...AAC),
  said('late.ts', '-output_ts_offset', '80000', ...AAC),
  said('late.webm', '-output_ts_offset', '100000', '-c:a', 'libopus'),
  said('variable.mp3', '-q:a', '9'),
  // Lengths.
  bytes('one-sample.wav', wav(1), 'silent'),
  bytes('40-ms.wav', wav(640), 'silent'),
  bytes('no-samples.wav', wav(0), 'no_audio_track'),
  // Partial files.
  changed('inside-a-frame.mp3', ['-b:a', '48k', ...NO_TAGS], inside),
  changed('inside-a-frame.aac', AAC, inside),
  changed('half.mp3', ['-b:a', '48k'], cut(0, 0.6), { outcome: 'some', seconds: 4 }),
  changed('half.m4a', AAC, cut(0, 0.6), { outcome: 'unreadable_audio', seconds: 0 }),
  changed('half-with-index.m4a', [...AAC, '-movflags', '+faststart'], cut(0, 0.6), {
    outcome: 'some',
    seconds: 4,
  }),
  changed('second-half.ogg', ['-c:a', 'libopus'], cut(0.4), { outcome: '415', seconds: 0 }),
  changed('riff-of-7-bytes.wav', PLAIN_WAV, number(4, 7)),
  changed('tag-of-5-mb.mp3', [], tagged),
  // Containers and codecs.
  ...(withSox as OddFile[]),
  said('8-bit.au', '-ar', '8000', '-c:a', 'pcm_s8'),
  said('long.w64'),
  said('long-rf64.wav', '-rf64', 'always'),
  said('packed.wv'),
  said('dolby.eac3', '-ar', '48000', '-c:a', 'eac3'),
  said('phone.3gp', '-ar', '8000', ...AAC),
  said('opus.mp4', '-c:a', 'libopus'),
  said('flac-inside.ogg', '-c:a', 'flac'),
  said('speex.ogg', '-c:a', 'libspeex'),
  said('lossless.m4a', '-c:a', 'alac'),
  said('lossless.caf', '-c:a', 'alac'),
  said('float.wav', '-c:a', 'pcm_f32le'),
  said('dictation.wav', '-ar', '8000', '-c:a', 'libgsm_ms'),
  said('adpcm.wav', '-c:a', 'adpcm_ima_wav'),
  said('apple.aiff'),
  said('windows.wma'),
  said('flash.flv', '-ar', '22050'),
  said('film.avi', ...COLOUR(6)),
  said('film.ts', ...COLOUR(6), ...AAC),
  said('film.mpg', ...COLOUR(6), '-r', '25'),
  said('film.mxf', ...COLOUR(6), '-r', '25', '-ar', '48000'),
  said('blaster.voc'),
  said('layer-2.mp2'),
  // Files that aren't recordings.
  bytes('score.mid', 'MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x04\0\xff\x2f\0', '415'),
  bytes('named.mp3', 'This is no recording.', '415'),
  bytes('picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), '415'),
]
