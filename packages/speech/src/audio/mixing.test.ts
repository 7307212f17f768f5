import { SAMPLE_RATE } from './levels.ts'
import { createMixer } from './mixing.ts'

type Wave = (second: number) => number
const voice =
  (hertz: number, from = 0, to = Infinity): Wave =>
  second =>
    second >= from && second < to ? 4_000 * Math.sin(2 * Math.PI * hertz * second) : 0
const turned =
  (wave: Wave): Wave =>
  second =>
    -wave(second)
const silent: Wave = () => 0

function interleaved(waves: Wave[], seconds: number): Buffer {
  const samples = new Int16Array(seconds * SAMPLE_RATE * waves.length)
  for (let at = 0; at < samples.length; at++)
    samples[at] = waves[at % waves.length]!(Math.floor(at / waves.length) / SAMPLE_RATE)
  return Buffer.from(samples.buffer)
}

/** Mixes channels that arrive in chunks of so many bytes. */
function mixed(waves: Wave[], seconds = 3, chunkBytes = Infinity) {
  const all = interleaved(waves, seconds)
  const mixer = createMixer(waves.length)
  const parts: Buffer[] = []
  for (let at = 0; at < all.length; at += chunkBytes)
    parts.push(...mixer.add(all.subarray(at, at + chunkBytes)))
  parts.push(...mixer.end())
  const { buffer, byteOffset, length } = Buffer.concat(parts)
  return {
    samples: new Int16Array(buffer, byteOffset, length / 2),
    hasInvertedChannel: mixer.hasInvertedChannel(),
  }
}

/** Returns the amplitude of a tone in a stretch of samples. */
function amountOf(hertz: number, samples: Int16Array, from = 0, to = samples.length / SAMPLE_RATE): number {
  let [re, im] = [0, 0]
  const stretch = samples.subarray(from * SAMPLE_RATE, to * SAMPLE_RATE)
  for (const [at, sample] of stretch.entries()) {
    const angle = (2 * Math.PI * hertz * at) / SAMPLE_RATE
    re += sample * Math.cos(angle)
    im += sample * Math.sin(angle)
  }
  return (2 * Math.hypot(re, im)) / stretch.length
}

const [LOW, HIGH] = [300, 700]
test.each<[string, Wave[], number[]]>([
  ['the same twice', [voice(LOW), voice(LOW)], [LOW]],
  ['opposite phases', [voice(LOW), turned(voice(LOW))], [LOW]],
  ['silence beside a voice', [silent, voice(LOW)], [LOW]],
  ['the last of nine', [...Array<Wave>(8).fill(silent), voice(LOW)], [LOW]],
  ['two voices', [voice(LOW), voice(HIGH)], [LOW, HIGH]],
  ['opposite phases and a third voice', [voice(LOW), turned(voice(LOW)), voice(HIGH)], [LOW, HIGH]],
  ['a phase that is against both others', [voice(LOW), turned(voice(LOW)), voice(LOW)], [LOW]],
  [
    'constant offsets that are opposite',
    [second => voice(LOW)(second) + 9_000, second => voice(LOW)(second) - 9_000],
    [LOW],
  ],
])(
  'when the channels are %s, then each voice is in the mix, neither faint nor twice as loud',
  (_what, waves, tones) => {
    const { samples } = mixed(waves)
    expect(samples).toHaveLength(3 * SAMPLE_RATE)
    for (const hertz of tones) {
      expect(amountOf(hertz, samples)).toBeGreaterThan(2_600)
      expect(amountOf(hertz, samples)).toBeLessThan(6_500)
    }
  },
)

test('when two people speak in turn, one on each side, then both are heard', () => {
  const { samples, hasInvertedChannel } = mixed([voice(LOW, 0, 2), voice(HIGH, 2, 4)], 4)
  expect(amountOf(LOW, samples, 0, 2)).toBeGreaterThan(2_600)
  expect(amountOf(HIGH, samples, 2, 4)).toBeGreaterThan(2_600)
  expect(hasInvertedChannel).toBe(false)
})

test('when a phase turns over in the middle, then hardly anything is lost, and nothing clicks', () => {
  const { samples } = mixed([voice(LOW), second => (second < 2 ? 1 : -1) * voice(LOW)(second)], 4)
  for (const second of [0, 1, 2, 3]) expect(amountOf(LOW, samples, second, second + 1)).toBeGreaterThan(3_600)
  expect(Math.max(...samples.map(Math.abs))).toBeLessThan(8_500)
})

test('when all channels are as loud as can be, then their sum does not overflow', () => {
  const full: Wave = second => (Math.floor(second * 400) % 2 ? 32_767 : -32_768)
  const { samples } = mixed([full, full, full], 1)
  expect(amountOf(200, samples)).toBeGreaterThan(30_000)
})

test('when the same channels come in other chunks, then the mix is the same', () => {
  const waves = [voice(LOW), turned(voice(LOW)), voice(HIGH)]
  const whole = mixed(waves, 2)
  for (const bytes of [1, 1_000, 4_097, 50_001]) expect(mixed(waves, 2, bytes)).toEqual(whole)
})
