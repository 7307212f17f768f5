import { eventually } from '../testing/eventually.ts'
import { type Answered, startFlood } from '../testing/flood.ts'

/** More concurrent webhooks than a machine handles within 200 ms. */
const AT_ONCE = 256

let flood: Awaited<ReturnType<typeof startFlood>>
beforeAll(async () => {
  flood = await startFlood()
})
afterAll(() => flood?.stop())

test('when the system is overloaded, then it refuses in time, and handles everything that it accepted', async () => {
  const answers: Answered[] = []
  const isRefused = ({ status, comesAgain }: Answered) => status === 503 && comesAgain
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (!answers.some(isRefused)) answers.push(await flood.send())
    }),
  )
  const taken = answers.filter(({ status }) => status === 200)
  expect(taken.length).toBeGreaterThan(0)
  expect(taken.length + answers.filter(isRefused).length).toBe(answers.length)
  await eventually('everybody who was taken in is answered', async () => {
    const done = flood.answered()
    const missing = taken.filter(({ from }) => !done.has(from))
    if (missing.length) throw new Error(`${missing.length} of ${taken.length} are not`)
  })
  expect((await flood.send()).status).toBe(200)
})
