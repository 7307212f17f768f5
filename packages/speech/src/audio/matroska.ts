import { reason } from '@voxscribe/contracts/reasons'
import { Unworkable } from '../errors.ts'
import { SAMPLE_RATE, TooLong } from './levels.ts'

/** Identifiers of Matroska's elements (RFC 9559, section 5.1). */
const TRACK_NUMBER = 0xd7
const CHANNELS = 0x9f
const CLUSTER_TIME = 0xe7
const BLOCKS = [0xa3, 0xa1]
/** Segment, Tracks, TrackEntry, Audio, Cluster and BlockGroup: the elements whose content is parsed. */
const AROUND = [0x18538067, 0x1654ae6b, 0xae, 0xe1, 0x1f43b675, 0xa0]
/** A longer frame belongs to a file with a few samples per second: a second of 64 channels has 2 MB. */
const BYTES_MAX = 16_000_000
const BYTES = 2
/** Bytes of track, time and flags at the start of a block. */
const BLOCK_HEADER = 4
/** Packets per second of audio: Opus has at most 400. A file with more costs every program that reads it too much. */
const PACKETS_A_SECOND = 2_000

export interface Frame {
  /** Track number from 1, in the order of ffmpeg's options. */
  track: number
  /** Seconds from the start of the file. */
  at: number
  channels: number
  /** Samples: 16-bit little-endian, channels interleaved. */
  samples: Buffer
}

/** Returns a reader of PCM tracks in Matroska. Throws TooLong for frames over 16 MB, Unworkable for tiny ones. */
export function createMatroskaReader() {
  /** Unread chunks, which are joined once enough bytes have arrived instead of with each chunk. */
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let needed = 0
  let skipped = 0
  const channels = new Map<number, number>()
  let described = 1
  let clusterAt = 0
  let packets = 0
  let seconds = 0

  function count(samples: number): void {
    packets += 1
    seconds += samples / SAMPLE_RATE
    if (packets > PACKETS_A_SECOND * (1 + seconds)) throw new Unworkable(reason('too_many_packets'))
  }

  function wait(rest: Buffer, bytes: number): void {
    waiting = rest.length ? [rest] : []
    waitingBytes = rest.length
    needed = bytes
  }

  return function* framesIn(chunk: Buffer): Generator<Frame> {
    waiting.push(chunk)
    waitingBytes += chunk.length
    if (waitingBytes < needed) return
    let rest: Buffer = waiting.length > 1 ? Buffer.concat(waiting) : chunk
    for (;;) {
      const dropped = Math.min(skipped, rest.length)
      rest = rest.subarray(dropped)
      skipped -= dropped
      const header = headerOf(rest)
      if (!header) return wait(rest, 0)
      const { id, from, bytes } = header
      const isRead = [TRACK_NUMBER, CHANNELS, CLUSTER_TIME, ...BLOCKS].includes(id)
      if (isRead && bytes > BYTES_MAX) throw new TooLong()
      if (isRead && rest.length < from + bytes) return wait(rest, from + bytes)
      const body = rest.subarray(from, from + bytes)
      rest = rest.subarray(from)
      if (!AROUND.includes(id)) skipped = bytes
      if (id === TRACK_NUMBER) described = numberIn(body)
      if (id === CHANNELS) channels.set(described, Math.max(1, numberIn(body)))
      if (id === CLUSTER_TIME) clusterAt = numberIn(body)
      if (BLOCKS.includes(id) && bytes > BLOCK_HEADER) {
        const track = body[0]! & 0x7f
        const at = (clusterAt + body.readInt16BE(1)) / 1000
        const ofTrack = channels.get(track) ?? 1
        count((bytes - BLOCK_HEADER) / BYTES / ofTrack)
        yield { track, at, channels: ofTrack, samples: body.subarray(BLOCK_HEADER) }
      }
    }
  }
}

/** Returns an element's identifier, the start of its content, and its length; undefined until they have arrived. */
function headerOf(data: Buffer): { id: number; from: number; bytes: number } | undefined {
  const idLength = lengthOf(data, 0)
  const from = idLength + lengthOf(data, idLength)
  if (data.length < Math.max(2, from)) return undefined
  const size = data.subarray(idLength, from)
  const id = numberIn(data.subarray(0, idLength))
  return { id, from, bytes: numberIn(size.subarray(1), size[0]! & (0xff >> size.length)) }
}

/** Returns the bytes of a number, whose first byte starts with a zero bit for each further byte. */
const lengthOf = (data: Buffer, at: number): number => Math.min(8, Math.clz32(data[at] ?? 0xff) - 23)

const numberIn = (bytes: Buffer, before = 0): number =>
  bytes.reduce((value, byte) => value * 256 + byte, before)
