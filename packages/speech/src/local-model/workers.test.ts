import { MODELS } from '../models/table.ts'
import { megabytesLeft, workersFor } from './pool.ts'

const GIGABYTE = 1024 ** 3 / 1e6

test.each([
  ['whisper-tiny', { cores: 16, megabytes: 1.5 * GIGABYTE }, 2],
  ['whisper-base', { cores: 2, megabytes: 2.5 * GIGABYTE }, 2],
  ['whisper-base', { cores: 16, megabytes: 1 * GIGABYTE }, 1],
  ['whisper-turbo', { cores: 8, megabytes: 2 * GIGABYTE }, 1],
  ['moonshine-tiny-en', { cores: 4, megabytes: 64 * GIGABYTE }, 4],
])('when %s runs within %o, then so many workers fit', (name, machine, workers) => {
  const model = MODELS.find(each => each.name === name)!
  expect(workersFor(model.workerMegabytes, machine)).toBe(workers)
})

test.each([
  [800, { cores: 2, megabytes: 6_000 }, 4_000],
  [2_850, { cores: 2, megabytes: 3_000 }, -250],
])('when workers of %i MB run within %o, then so much is left or lacking', (megabytes, machine, left) => {
  expect(megabytesLeft(megabytes, machine)).toBe(left)
})
