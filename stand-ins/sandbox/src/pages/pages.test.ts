import { readdir, readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { HOOK_ANSWERS } from '../hooks/index.ts'
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

const PAGES = fileURLToPath(new URL('./', import.meta.url))
/** Words of states that only data have. */
const STATES = ['a month', 'open', 'incomplete', 'past due', 'A secret begins with whsec_']
/** Texts that are the same in all languages. */
const NAMES = /^(WhatsApp|Telegram|Voxscribe|.* · Sandbox|:|, |–)$/

/** Labels of a page as its script finds them, without the words of people and programs. */
const labelsOf = (text: string) =>
  text
    .replace(/<(\w+)[^>]* translate="no"[^>]*>.*?<\/\1>|<time.*?<\/time>|<(style|svg)\b.*?<\/\2>/gs, '')
    .match(/(?<=>)[^<]+(?=<)|(?<=(?: title| aria-label| placeholder)=")[^"]+/g)!
    .map(label => label.trim().replace(/\s+/g, ' ').replaceAll('&#39;', '’'))
    .filter(label => /\p{L}/u.test(label) && !NAMES.test(label))

test('when a label stands on a page, then eight other languages have it, and no label is left over', async () => {
  const words: Record<string, string[]> = JSON.parse(await readFile(`${PAGES}static/words.json`, 'utf8'))
  expect(Object.entries(words).filter(([, said]) => said.filter(Boolean).length !== 8)).toEqual([])
  await both.call('POST', '/api/whatsapp/messages', { from: '15550001111', text: 'Send' })
  const paths = ['/whatsapp', '/whatsapp?from=15550001111', '/whatsapp?from=x', '/stripe', '/mail', '/hooks']
  for (const path of paths)
    expect([path, labelsOf((await page(path)).text).filter(label => !words[label])]).toEqual([path, []])
  const files = await readdir(PAGES, { recursive: true })
  const sources = files
    .filter(name => /(?<!\.test)\.(ts|js)$/.test(name))
    .map(name => readFile(PAGES + name, 'utf8'))
  const written = [...(await Promise.all(sources)), ...Object.values(HOOK_ANSWERS)]
    .join('\n')
    .replace(/\s+/g, ' ')
  const parts = (label: string) => [label, label.replace(/^Not /, ''), label.replace(' ', '_')]
  const isSaid = (label: string) =>
    parts(label).some(part => written.includes(part)) || STATES.includes(label)
  expect(Object.keys(words).filter(label => !isSaid(label))).toEqual([])
})
