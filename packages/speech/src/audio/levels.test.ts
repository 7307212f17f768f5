import { createMeter, maybeSpoken, SAMPLE_RATE } from './levels.ts'

function measure(chunks: Buffer[]) {
  const meter = createMeter()
  for (const chunk of chunks) meter.add(chunk)
  return meter.measured()
}

function samples(count: number, value: number) {
  const buffer = Buffer.alloc(count * 2)
  for (let at = 0; at < count; at++) buffer.writeInt16LE(at % 2 ? value : -value, at * 2)
  return buffer
}

test('when samples come in odd pieces, then the length is exact and the loudness right', () => {
  const sound = samples(SAMPLE_RATE * 1.5, 1000)
  const { seconds, levels, isSilent } = measure([
    sound.subarray(0, 3),
    sound.subarray(3, 3),
    sound.subarray(3, 1001),
    sound.subarray(1001),
  ])
  expect(seconds).toBe(1.5)
  expect(levels).toHaveLength(15)
  expect(levels[7]).toBeCloseTo(1000)
  expect(isSilent).toBe(false)
})

test('when nothing is louder than a quiet room, then it is silence', () => {
  expect(measure([samples(SAMPLE_RATE, 20)]).isSilent).toBe(true)
  expect(measure([]).isSilent).toBe(true)
})

test('when a single tenth of a second is loud, then it is no silence', () => {
  expect(measure([samples(SAMPLE_RATE, 20), samples(1600, 900)]).isSilent).toBe(false)
})

test('when there is less than 0.05 s of it, then it is silence however loud, and nothing is looked for', () => {
  for (const count of [1, 79, 799]) {
    const measured = measure([samples(count, 20_000)])
    expect([measured.isSilent, maybeSpoken({ ...measured, seconds: count / SAMPLE_RATE })]).toEqual([
      true,
      [],
    ])
  }
  expect(measure([samples(800, 20_000)]).isSilent).toBe(false)
})
