import { randomUUID } from 'node:crypto'
import { startTestSandbox, type TestSandbox } from '@voxscribe/sandbox/testing'
import { eventually } from '../testing/eventually.ts'
import { startOneProcess } from '../testing/one-process.ts'
import type { System } from '../testing/system.ts'
import { WHATSAPP, webhookOf } from '../testing/webhook.ts'

/** More concurrent webhooks than a machine handles within 200 ms. */
const AT_ONCE = 256

let sandbox: TestSandbox
let system: System
beforeAll(async () => {
  sandbox = await startTestSandbox({
    whatsapp: {
      number: WHATSAPP.WHATSAPP_NUMBER,
      phoneNumberId: WHATSAPP.WHATSAPP_PHONE_NUMBER_ID,
      accessToken: WHATSAPP.WHATSAPP_ACCESS_TOKEN,
      appSecret: WHATSAPP.WHATSAPP_APP_SECRET,
    },
  })
  system = await startOneProcess({ ...WHATSAPP, WHATSAPP_GRAPH_URL: sandbox.origin, LOG_LEVEL: 'warn' })
})
afterAll(async () => {
  await system?.remove()
  await sandbox?.stop()
})

let people = 0
/** Delivers a text from a new stranger, each of whom is answered with the sign-up link. */
async function send() {
  const from = `1650${String(5_550_000 + people++).padStart(7, '0')}`
  const webhook = webhookOf({ from, id: `wamid.${randomUUID()}`, type: 'text', text: { body: 'Hi' } })
  const answer = await fetch(`${system.appUrl}/webhooks/whatsapp`, { method: 'POST', ...webhook })
  await answer.text()
  return { from, status: answer.status, comesAgain: answer.headers.has('retry-after') }
}

test('when the system is overloaded, then it refuses in time, and handles everything that it accepted', async () => {
  const answers: Awaited<ReturnType<typeof send>>[] = []
  const isRefused = ({ status, comesAgain }: (typeof answers)[number]) => status === 503 && comesAgain
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (!answers.some(isRefused)) answers.push(await send())
    }),
  )
  const taken = answers.filter(({ status }) => status === 200)
  expect(taken.length).toBeGreaterThan(0)
  expect(taken.length + answers.filter(isRefused).length).toBe(answers.length)
  await eventually('everybody who was taken in is answered', async () => {
    const messages = sandbox.calls.filter(({ path }) => path.endsWith('/messages'))
    const done = new Set(messages.map(({ body }) => body?.to))
    const missing = taken.filter(({ from }) => !done.has(from))
    if (missing.length) throw new Error(`${missing.length} of ${taken.length} are not`)
  })
  expect((await send()).status).toBe(200)
})
