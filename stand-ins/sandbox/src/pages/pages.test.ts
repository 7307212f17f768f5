import { get } from 'node:http'
import { type Both, startBoth, whatsapp } from '../testing/running.ts'
import { stripeClient, stripeSettings } from '../testing/stripe.ts'
import { html, marked } from './html.ts'

let both: Both
beforeAll(async () => {
  both = await startBoth({ whatsapp, stripe: stripeSettings, mail: { smtpPort: 0 } })
})
afterAll(() => both.stop())

async function page(path: string) {
  const answer = await fetch(both.sandbox.url + path, { headers: { accept: 'text/html' } })
  return {
    status: answer.status,
    policy: answer.headers.get('content-security-policy'),
    text: await answer.text(),
  }
}

test.each(['/', '/whatsapp', '/stripe', '/mail', '/hooks'])(
  "when %s is opened, then only the sandbox's scripts run, and the parts are one press away",
  async path => {
    const { status, policy, text } = await page(path)
    expect(status).toBe(200)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(text).not.toMatch(/<script(?![^>]* src="\/static\/)|<style| style=| on[a-z]+=/)
    for (const link of ['/whatsapp', '/stripe', '/mail', '/hooks']) expect(text).toContain(`href="${link}"`)
  },
)

test.each([
  ['_0:07 · English_', '<em>0:07 · English</em>'],
  ['*bold _both_* ~no~', '<strong>bold <em>both</em></strong> <s>no</s>'],
  ['snake_case_name, 2 * 3 * 4, _', 'snake_case_name, 2 * 3 * 4, _'],
  ['_one\ntwo_ <b>', '_one\ntwo_ &lt;b&gt;'],
])('when a message says %j, then it is shown as WhatsApp does', (words, shown) => {
  expect(html`${marked(words)}`.text).toBe(shown)
})

const statusUnder = (host: string, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(both.sandbox.url + path, { headers: { host } }, response => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

test.each([
  ['evil.example', 403],
  ['localhost.evil.example:8090', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost:8090', 200],
  ['127.0.0.1', 200],
  ['[::1]:8090', 200],
])('when a browser comes under the name %s, then the answer is %i', async (host, status) => {
  for (const path of ['/whatsapp', '/api/mail'])
    expect([path, await statusUnder(host, path)]).toEqual([path, status])
})

test('when a page names a script or a style, then it is there', async () => {
  for (const path of ['/whatsapp', '/stripe', '/mail', '/hooks']) {
    const { text } = await page(path)
    const names = [...text.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map(match => match[1] ?? '')
    expect(names.length).toBeGreaterThan(2)
    for (const name of names) expect((await fetch(both.sandbox.url + name)).status).toBe(200)
  }
})

test('when a chat has a message, then its page lets it be quoted', async () => {
  const answer = await fetch(`${both.sandbox.url}/api/whatsapp/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from: '15550004321', text: '"quote" me' }),
  })
  const { id } = (await answer.json()) as { id: string }
  const { text } = await page('/whatsapp?from=15550004321')
  expect(text).toContain(`data-reply="${id}" data-excerpt="&quot;quote&quot; me"`)
})

test.each(['/send?phone=15550783881&text=Hi%20%26%20hello', '/wa/15550783881?text=Hi%20%26%20hello'])(
  'when a link made for wa.me leads to %s, then the chat opens with the text',
  async path => {
    const answer = await fetch(both.sandbox.url + path, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe('/whatsapp?text=Hi%20%26%20hello')
  },
)

test('when a payment page is opened, then its forms may lead to the shop and nowhere else', async () => {
  const stripe = stripeClient(both.sandbox.stripeUrl!)
  const price = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 499,
    recurring: { interval: 'month' },
    product_data: { name: '<b>Plan</b>' },
  })
  const { url } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id }],
    customer: (await stripe.customers.create({})).id,
    success_url: 'https://shop.test/ok?s={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://shop.test/no',
  })
  const { policy, text } = await page(new URL(url!).pathname)
  expect(policy).toContain("form-action 'self' https://shop.test https://shop.test;")
  expect(text).toContain('&lt;b&gt;Plan&lt;/b&gt;')
})

test('when a message has markup in it, then the chat shows it as text, and opens only its address', async () => {
  const text = '<img/src=x> "https://app.test/a?b=1&c=2".'
  await both.call('POST', '/api/whatsapp/messages', { from: '15550001111', text, name: '<b>' })
  const shown = (await page('/whatsapp?from=%2B1%20555%20000%201111&text=%22%3E%3Cimg%3E')).text
  expect(shown).toContain('&lt;img/src=x&gt;')
  expect(shown).toContain('<a href="https://app.test/a?b=1&amp;c=2" target="_blank"')
  expect(shown).not.toContain('<img')
})
