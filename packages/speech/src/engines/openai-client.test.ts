import { APIError } from 'openai'
import { NotNow } from '../errors.ts'
import { createGate } from './openai-client.ts'

const { signal } = new AbortController()
const busy = (seconds: number) =>
  APIError.generate(
    429,
    { error: { code: 'rate_limit_exceeded' } },
    'busy',
    new Headers({ 'retry-after': `${seconds}` }),
  )

test('when 1000 notes meet a limit of 50 a minute, then none is lost and few calls are refused', async () => {
  let clock = 0
  const window = { until: 60_000, taken: 0 }
  let inVain = 0
  const gate = createGate(8, () => clock)
  const call = async () => {
    if (clock >= window.until) Object.assign(window, { until: clock + 60_000, taken: 0 })
    if (window.taken === 50) {
      inVain += 1
      throw busy((window.until - clock) / 1000)
    }
    window.taken += 1
    return 'text'
  }
  let waiting = 1000
  while (waiting) {
    const waits: number[] = []
    const notes = Array.from({ length: waiting }, () =>
      gate(call, signal).then(
        () => 'done',
        error => {
          if (!(error instanceof NotNow)) throw error
          waits.push(error.afterMs ?? 0)
          return 'waits'
        },
      ),
    )
    const ended = await Promise.all(notes)
    waiting = ended.filter(each => each === 'waits').length
    clock += Math.max(0, ...waits)
  }
  expect(clock).toBe(19 * 60_000)
  // Calls that were under way at the first refusal.
  expect(inVain).toBeLessThanOrEqual(19 * 8)
})

test('when it is closed, then nothing is asked, and afterwards it is open again', async () => {
  let clock = 0
  const gate = createGate(1, () => clock)
  await expect(gate(() => Promise.reject(busy(7)), signal)).rejects.toBeInstanceOf(NotNow)
  clock = 6_999
  let calls = 0
  const call = async () => {
    calls += 1
  }
  await expect(gate(call, signal)).rejects.toMatchObject({ afterMs: 1 })
  expect(calls).toBe(0)
  clock = 7_000
  await gate(call, signal)
  expect(calls).toBe(1)
})
