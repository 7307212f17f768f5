import { lengthOfAll, partsOf, type SoundToCut } from './pieces.ts'

const partsIn = (sound: SoundToCut, abilities: Parameters<typeof partsOf>[1]) =>
  Array.fromAsync(partsOf(sound, abilities))
/** Makes each piece a part. */
const MINUTES = { partSeconds: 60, pieceSeconds: 60 }

const loudFor = (seconds: number) => Array.from({ length: Math.ceil(seconds * 10) }, () => 1000)
const spoken = (seconds: number) => ({
  seconds,
  levels: loudFor(seconds),
  speech: [{ from: 0, to: seconds }],
})

test('when the audio is short enough, then it stays whole', async () => {
  expect(await partsIn(spoken(10), { partSeconds: 60 })).toEqual([[{ from: 0, to: 10 }]])
})

test.each([
  [10, 10],
  [4, 4],
  // Shorter parts would consist only of overlap.
  [1, 4],
])('when one call takes %p s, then no part of a note is longer than %p s', async (partSeconds, most) => {
  const parts = await partsIn(spoken(31), { partSeconds })
  expect(parts.length).toBeGreaterThan(3)
  for (const part of parts) expect(lengthOfAll(part)).toBeLessThanOrEqual(most)
  expect([parts[0]![0]!.from, parts.at(-1)!.at(-1)!.to]).toEqual([0, 31])
})

test('when a minute is spoken without a pause, then it is one part: what overlaps is not heard twice', async () => {
  expect(await partsIn(spoken(60), { partSeconds: 480 })).toEqual([[{ from: 0, to: 60 }]])
})

test('when there is a pause near the end of a part, then the cut is in it', async () => {
  const sound = {
    ...spoken(100),
    speech: [
      { from: 0, to: 50.1 },
      { from: 50.7, to: 100 },
    ],
  }
  expect(await partsIn(sound, MINUTES)).toEqual([[{ from: 0, to: 50.4 }], [{ from: 50.4, to: 100 }]])
})

test.each([3, 2.1, 7.9])(
  'when the one pause is %p s after the last cut, then the cut is in it',
  async second => {
    const speech = [
      { from: 0, to: second },
      { from: second, to: 11 },
    ]
    const [pieces] = (await partsIn({ ...spoken(10), speech }, { partSeconds: 60, pieceSeconds: 8 })) as [
      Span[],
    ]
    expect(pieces[0]).toEqual({ from: 0, to: second })
    expect(pieces[1]?.from).toBe(second)
  },
)

test('when a note is read aloud, then each cut is in a pause', async () => {
  // Spans that Silero found in recordings of five sentences and five cards, repeated; two of them meet in a short
  // pause.
  const borders = [
    0, 7.23, 7.59, 10.94, 10.95, 16.61, 16.87, 23.2, 23.88, 27.39, 27.81, 29.38, 29.41, 31.81, 32.23, 34.21,
    34.88, 36.58, 36.58, 40.35, 41.06, 48.45, 48.45, 51.76, 51.76, 57.38, 58.05, 64.31, 64.31, 67.71, 67.88,
    71.28,
  ]
  const pauses = borders.slice(1, -1)
  const speech = borders.flatMap((from, at) => (at % 2 ? [] : [{ from, to: borders[at + 1] ?? from }]))
  const sound = { ...spoken(71.28), speech }
  const pieces = (await partsIn(sound, { partSeconds: 120, pieceSeconds: 8 })).flat()
  for (const [at, { to }] of pieces.slice(0, -1).entries()) {
    expect(pieces[at + 1]?.from).toBe(to)
    expect(
      pauses.some((from, which) => which % 2 === 0 && to >= from && to <= (pauses[which + 1] ?? 0)),
    ).toBe(true)
  }
})

test('when only loudness tells of a pause, then both pieces have it, and a second on either side', async () => {
  const sound = spoken(100)
  for (let step = 500; step < 508; step++) sound.levels[step] = 3
  const [[first], [second]] = (await partsIn(sound, MINUTES)) as [[Span], [Span]]
  const middle = (first.to + second.from) / 2
  expect(middle).toBeGreaterThan(50)
  expect(middle).toBeLessThan(50.8)
  expect(first.to - second.from).toBeCloseTo(2, 5)
  expect(second.to).toBe(100)
})

interface Span {
  from: number
  to: number
}

test.each([60.01, 60.05, 61, 100.73, 119.99, 120.04, 1000, 7200.37])(
  'when speech has no pause for %s s, then parts overlap by 2 s and keep their limits',
  async seconds => {
    const spans = (await partsIn(spoken(seconds), MINUTES)).flat()
    expect(spans[0]?.from).toBe(0)
    expect(spans.at(-1)?.to).toBeCloseTo(seconds, 3)
    for (const [index, { from, to }] of spans.entries()) {
      expect(to - from).toBeGreaterThanOrEqual(1)
      expect(to - from).toBeLessThanOrEqual(60)
      if (index) expect(spans[index - 1]!.to - from).toBeCloseTo(2, 3)
    }
  },
)

test('when there is no speech for 2 s or more, then that is cut but for 0.2 s at each border', async () => {
  const speech = [
    { from: 1, to: 4 },
    { from: 5.5, to: 9 },
    { from: 11, to: 14 },
  ]
  expect(await partsIn({ ...spoken(20), speech }, { partSeconds: 60 })).toEqual([
    [
      { from: 0.8, to: 9.2 },
      { from: 10.8, to: 14.2 },
    ],
  ])
})

test('when a word is short, then it is sent with a second of sound around it', async () => {
  const speech = [{ from: 3, to: 3.3 }]
  const [[piece]] = (await partsIn({ ...spoken(20), speech }, { partSeconds: 60 })) as [[Span]]
  expect(piece.to - piece.from).toBeCloseTo(1, 5)
})

test.each([
  ['of pieces', { partSeconds: 120, pieceSeconds: 8 }],
  ['heard as one', { partSeconds: 120 }],
])('when speech is long, then its first parts, %s, grow from 15 s on', async (_how, abilities) => {
  const speech = Array.from({ length: 150 }, (_, at) => ({ from: at * 3, to: at * 3 + 2.5 }))
  const partsFor = (seconds: number) =>
    partsIn({ ...spoken(seconds), speech: speech.slice(0, seconds / 3) }, abilities)
  expect(await partsFor(54)).toHaveLength(1)
  const parts = await partsFor(450)
  for (const [at, most] of [15, 30, 60, 120, 120, 120].entries()) {
    const length = lengthOfAll(parts[at] ?? [])
    expect(length).toBeLessThanOrEqual(most)
    if (at < 4) expect(length).toBeGreaterThan(most * 0.5)
    if (!('pieceSeconds' in abilities)) expect(parts[at]).toHaveLength(1)
    if (at) expect(parts[at]?.[0]?.from).toBe(parts[at - 1]?.at(-1)?.to)
  }
})

test('when speech that is heard as one has no pause, then only its parts overlap', async () => {
  const parts = await partsIn(spoken(540), { partSeconds: 480 })
  expect(parts.map(part => part.length)).toEqual([1, 1, 1, 1, 1])
  for (const [at, [part]] of parts.entries())
    expect(part?.from).toBeCloseTo(at ? (parts[at - 1]?.[0]?.to ?? 0) - 2 : 0, 5)
})

test('when the model takes short pieces only, then a part has several', async () => {
  const speech = Array.from({ length: 30 }, (_, at) => ({ from: at * 3, to: at * 3 + 2.5 }))
  const parts = await partsIn({ ...spoken(90), speech }, { partSeconds: 30, pieceSeconds: 8 })
  for (const part of parts) {
    expect(lengthOfAll(part)).toBeLessThanOrEqual(30)
    for (const { from, to } of part) expect(to - from).toBeLessThanOrEqual(8)
  }
  // Each cut is in a pause.
  for (const { to } of parts.flat().slice(0, -1)) expect(to % 3).toBeGreaterThan(2.5)
})

test('when speech is found bit by bit, then pieces are those cut from all of it, and parts come early', async () => {
  // Words of up to 2 s, short pauses, and an occasional long silence.
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const thousandth = (value: number) => Math.round(value * 1000) / 1000
  const speech: Span[] = []
  for (let at = 1; speech.length < 400; ) {
    const span = { from: thousandth(at), to: thousandth(at + 0.8 + random()) }
    speech.push(span)
    at = span.to + (random() < 0.1 ? 2 + 9 * random() : 0.1 + random())
  }
  const known: Span[] = []
  async function* bitByBit() {
    for (const span of speech) {
      known.push(span)
      yield span
    }
  }
  const sound = spoken(speech.at(-1)!.to)
  const parts: Span[][] = []
  const abilities = { partSeconds: 120, pieceSeconds: 8 }
  for await (const part of partsOf({ ...sound, speech: bitByBit() }, abilities)) {
    // The first part waits until the speech is known to be long.
    expect(known.at(-1)!.to).toBeLessThan(Math.max(100, part.at(-1)!.to + 30))
    parts.push(part)
  }
  const pieces = parts.flat()
  expect(pieces).toEqual(cutFromAll(speech, sound.seconds, abilities.pieceSeconds))
})

/** Pieces of speech that always has a pause: each is cut at the longest one in its last half. */
function cutFromAll(speech: Span[], seconds: number, longest: number): Span[] {
  const grid = (second: number) => Math.round(second * 16_000) / 16_000
  const starts = speech.filter(({ from }, at) => !at || from - speech[at - 1]!.to >= 2)
  return starts.flatMap(({ from: begin }, at) => {
    const ofStretch = speech.filter(({ from }) => from >= begin && from < (starts[at + 1]?.from ?? Infinity))
    const pauses = ofStretch.slice(1).map(({ from }, which) => ({ from: ofStretch[which]!.to, to: from }))
    const end = grid(Math.min(seconds, ofStretch.at(-1)!.to + 0.2))
    const borders = [grid(begin - 0.2)]
    while (end - borders.at(-1)! > longest) {
      const from = borders.at(-1)!
      const latest = Math.min(from + longest, end - 1)
      const isIn = (pause: Span) =>
        middle(pause) >= Math.min(from + longest / 2, latest) && middle(pause) <= latest
      const [best] = pauses.filter(isIn).sort((a, b) => b.to - b.from - (a.to - a.from))
      borders.push(grid(middle(best!)))
    }
    return borders.map((from, which) => ({ from, to: borders[which + 1] ?? end }))
  })
}
const middle = ({ from, to }: Span) => (from + to) / 2
