import { beginOf } from './clip.ts'
import { createMatroskaReader } from './matroska.ts'

const HEADER = '#tb 0: 1/1000\n#media_type 0: audio\n'
const packet = (time: number) => `0, ${String(time).padStart(10)}, 0, 20, 12, 0x0\n`
async function* listOf(times: Iterable<number>, read: { lines: number }) {
  yield Buffer.from(HEADER)
  for (const time of times) {
    read.lines += 1
    yield Buffer.from(packet(time))
  }
}

test.each([
  ['the packet that is heard there', [-40, -20, 0, 20], 5, 5],
  ['the last one before', [-40, -7, 13], 5, 4.993],
  ['the next one, where there is none before', [13, 33], 5, 5],
  ['nothing, without packets', [], 5, undefined],
])('a clip begins with %s', async (_what, times, from, begin) => {
  expect(await beginOf(listOf(times, { lines: 0 }), from)).toBe(begin)
})

test('when the list is cut anywhere into chunks, then it is read alike', async () => {
  const list = `${HEADER}${packet(-20)}${packet(0)}${packet(20)}`
  async function* chunks() {
    for (const sign of list) yield Buffer.from(sign)
  }
  expect(await beginOf(chunks(), 2)).toBe(2)
})

test('when a file has a million packets around one moment, then few of them are read', async () => {
  const read = { lines: 0 }
  const million = (time: number) => Array<number>(1_000_000).fill(time)
  expect(await beginOf(listOf(million(-1), read), 5)).toBeUndefined()
  expect(read.lines).toBeLessThan(250_000)
  read.lines = 0
  expect(await beginOf(listOf([-1, ...million(1)], read), 5)).toBe(4.999)
  expect(read.lines).toBe(2)
})

describe('a sound of many packets', () => {
  /** Matroska with blocks of this many samples. */
  const blocks = (count: number, samples: number) =>
    Buffer.concat(
      Array.from({ length: count }, () =>
        Buffer.concat([
          Buffer.from([0xa3, 0x80 | (4 + 2 * samples), 0x81, 0, 0, 0x80]),
          Buffer.alloc(2 * samples),
        ]),
      ),
    )
  const read = (chunk: Buffer) => [...createMatroskaReader()(chunk)].length

  test('when there are 2,000 a second, then it is read', () => {
    expect(read(blocks(16_000, 8))).toBe(16_000)
  })

  test('when there are more, then it is refused with a reason of its own', () => {
    expect(() => read(blocks(16_000, 4))).toThrow(
      expect.objectContaining({ reason: { code: 'too_many_packets' } }),
    )
  })
})
