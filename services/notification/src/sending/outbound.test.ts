import { createMemory, silentLog } from '@voxscribe/service/testing'
import { createOutbound, messagesCost, messagesSent } from './outbound.ts'
import { createSendings } from './sendings.ts'

beforeEach(() => {
  messagesSent.reset()
  messagesCost.reset()
})

const counted = async (metric: typeof messagesSent, kind: string, country: string) =>
  (await metric.get()).values.find(({ labels }) => labels.kind === kind && labels.country === country)
    ?.value ?? 0

function open() {
  const outbound = createOutbound({
    channels: {
      whatsapp: {
        maxLength: 4096,
        hasTemplate: true,
        send: async ({ address }) =>
          address === '4915112345678'
            ? { outcome: 'refused', code: '131026', message: 'not reachable' }
            : { outcome: 'sent', id: `wamid.${address}` },
      },
    },
    mailer: { send: async () => ({ outcome: 'sent', id: 'mail' }) } as never,
    sendings: createSendings(createMemory().documentsOf(), 60_000),
    prices: { template: { US: 0.01, '*': 0.04 } },
    log: silentLog,
  })
  return (key: string, address: string, more = {}) =>
    outbound.chat(key, { channel: 'whatsapp', address }, 'Hello', more)
}

test('when messages go out, then each counts once by kind and country, and costs what the table says', async () => {
  const send = open()
  await send('a', '16505551234')
  await send('b', '16505551234', { asTemplate: true })
  await send('b', '16505551234', { asTemplate: true })
  await send('c', '447400123456', { asTemplate: true })
  await send('d', 'US.13491208655302741918', { file: { name: 'a.txt', content: 'a' } })
  await send('e', '4915112345678')
  expect(await counted(messagesSent, 'text', 'US')).toBe(1)
  expect(await counted(messagesSent, 'template', 'US')).toBe(1)
  expect(await counted(messagesSent, 'template', 'GB')).toBe(1)
  expect(await counted(messagesSent, 'file', 'unknown')).toBe(1)
  expect(await counted(messagesSent, 'text', 'DE')).toBe(0)
  expect(await counted(messagesCost, 'template', 'US')).toBeCloseTo(0.01)
  expect(await counted(messagesCost, 'template', 'GB')).toBeCloseTo(0.04)
  expect(await counted(messagesCost, 'text', 'US')).toBe(0)
})
