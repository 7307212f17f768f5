import { Webhook } from 'standardwebhooks'
import { type Both, startBoth } from '../testing/running.ts'

let both: Both
beforeEach(async () => {
  both = await startBoth()
})
afterEach(() => both.stop())

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`
const BODY = '{"type":"transcription.completed","data":{"text":"<b>Hello</b>"}}'

function send(name = 'mine', secret = SECRET) {
  const at = new Date()
  return fetch(`${both.sandbox.url}/hooks/${name}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'one',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,another ${new Webhook(secret).sign('one', at, BODY)}`,
    },
    body: BODY,
  })
}
const page = async (path: string) => (await fetch(both.sandbox.url + path)).text()
/** Addresses of the messages' pages, newest first. */
const listed = async () =>
  [...(await page('/hooks')).matchAll(/href="(\/hooks\/[^"]+)"/g)].map(([, path]) => path!)
const save = (settings: Record<string, string>) =>
  fetch(`${both.sandbox.url}/hooks`, { method: 'POST', body: new URLSearchParams(settings) })

test('when a message comes, then the page shows it as text, and whether it is signed with the pasted secret', async () => {
  expect((await send()).status).toBe(200)
  const [mine = ''] = await listed()
  expect(await page(mine)).toContain('Not checked')
  await save({ secret: SECRET })
  const shown = await page(mine)
  expect(shown).toContain('Signed with the secret')
  expect(shown).toContain('&lt;b&gt;Hello')
  expect(shown).toContain('<dt>webhook-id</dt><dd>one</dd>')
  await send('forged', `whsec_${Buffer.from('guessed').toString('base64')}`)
  const [forged = ''] = await listed()
  expect(await page('/hooks')).toContain('/hooks/forged<')
  expect(await page(forged)).toContain('Not signed with the secret')
})

test.each(['301', '410', '500'])(
  'when the answer is to be %s, then it is, and the message is kept',
  async answer => {
    await save({ answer })
    expect((await send()).status).toBe(Number(answer))
    expect(await listed()).toHaveLength(1)
  },
)

test('when very many messages come, or too large ones, then only the last hundred are kept', async () => {
  for (let n = 0; n < 105; n++) await send(`n${n}`)
  expect(await listed()).toHaveLength(100)
  expect(await page('/hooks')).toContain('/hooks/n5<')
  expect(await page('/hooks')).not.toContain('/hooks/n4<')
  const large = await fetch(`${both.sandbox.url}/hooks/large`, {
    method: 'POST',
    body: 'x'.repeat(3_000_000),
  })
  expect(large.status).toBe(413)
})

test('when the secret is none, then the page says so', async () => {
  const answer = await save({ answer: '200', secret: 'mine' })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('A secret begins with whsec_')
})
