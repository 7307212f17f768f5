import { startAuth } from '../testing.ts'
import { startSite } from './document-site.ts'
import { createProgram, pkce, REDIRECT } from './testing.ts'

let auth: Awaited<ReturnType<typeof startAuth>>
let program: ReturnType<typeof createProgram>
let site: Awaited<ReturnType<typeof startSite>>
beforeAll(async () => {
  auth = await startAuth({ HOOKS_ALLOW_PRIVATE: 'on', RATE_LIMITS: 'on', RATE_LIMIT_REGISTER: '100/1h' })
  program = createProgram(auth)
  site = await startSite()
})
afterAll(async () => {
  await site.stop()
  await auth.stop()
})

let documents = 0
/** The address of a metadata document with these fields. */
function documentOf(more: object = {}): string {
  const client_id = `${site.url}/program-${++documents}`
  site.says({ client_id, client_name: 'Claude', redirect_uris: [REDIRECT], ...more })
  return client_id
}

test('when a program introduces itself by a document, then its host and the one that gets the code are shown, and it can be connected', async () => {
  const clientId = documentOf()
  const { accessToken } = await auth.signedUp()
  const { verifier, challenge } = pkce()
  const { uid, cookies, to } = await program.authorize(clientId, {}, challenge)
  expect(to).toBe(`/connect/${uid}`)
  const shown = await fetch(`${auth.url}/api/oauth/interactions/${uid}`, {
    headers: { authorization: `Bearer ${accessToken}`, cookie: cookies.join('; ') },
  })
  expect((await shown.json()).data.client).toEqual({
    name: 'Claude',
    host: new URL(site.url).host,
    redirectHost: '127.0.0.1:4711',
    verified: false,
  })
  const { back } = await program.answer(uid, cookies, accessToken)
  const { body } = await program.exchange(clientId, back.searchParams.get('code')!, verifier)
  expect((await program.use(body.access_token)).status).toBe(200)
})

test.each<[string, object | string]>([
  ['names another program', { client_id: 'https://example.com/program' }],
  ['has a secret', { client_secret: 'x' }],
  ['has another address for the code', { redirect_uris: ['https://example.com/'] }],
  ['has an unsafe address', { redirect_uris: [REDIRECT, 'http://example.com/'] }],
  ['is larger than 5 kB', { client_uri: `https://example.com/${'x'.repeat(6_000)}` }],
  ['is no object', '[]'],
  ['is no JSON', '<html>'],
])('when a document %s, then it goes nowhere', async (_, said) => {
  const clientId = documentOf(Object(said))
  if (typeof said === 'string') site.says(said)
  expect(await program.authorize(clientId)).toMatchObject({ status: 400, to: '' })
})

test.each([201, 204, 205, 304, 404, 500, 600, 999])(
  'when a document is answered with %d, then it goes nowhere',
  async status => {
    const clientId = documentOf()
    site.answers(({ socket }) => socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`))
    expect(await program.authorize(clientId)).toMatchObject({ status: 400, to: '' })
  },
)

test('when a document leads elsewhere, then that is not followed', async () => {
  const clientId = documentOf()
  site.answers((_request, response) => response.writeHead(302, { location: `${site.url}/other` }).end())
  expect(await program.authorize(clientId)).toMatchObject({ status: 400, to: '' })
  expect(site.requests).not.toContain('/other')
})

test('when a document changes its addresses later, then each is asked about again, and an open question leads where it began', async () => {
  const clientId = documentOf()
  const { accessToken } = await auth.signedUp()
  const open = await program.authorize(clientId)
  const later = 'https://example.com/later'
  site.says({ client_id: clientId, client_name: 'Claude', redirect_uris: [later] })
  // Another process hasn't fetched the document.
  const twin = await auth.replica()
  const elsewhere = createProgram(twin)
  expect(await elsewhere.authorize(clientId)).toMatchObject({ status: 400, to: '' })
  const asked = await elsewhere.authorize(clientId, { redirect_uri: later })
  expect(asked.to).toBe(`/connect/${asked.uid}`)
  const { back } = await elsewhere.answer(open.uid, open.cookies, accessToken)
  expect(`${back.origin}${back.pathname}`).toBe(REDIRECT)
  await twin.stop()
})

test('when a program names a list of its addresses, as OpenID lets it, then that is not fetched', async () => {
  const more = { sector_identifier_uri: `${site.url}/sector` }
  expect((await program.register(more)).status).toBe(201)
  expect((await program.authorize(documentOf(more))).to).toMatch(/^\/connect\//)
  expect(site.requests).not.toContain('/sector')
})

test('when a document comes without end or too slowly, then it goes nowhere', async () => {
  const clientId = documentOf()
  site.answers((_request, response) => {
    const sending = setInterval(() => response.write('x'.repeat(1_000)), 5)
    response.once('close', () => clearInterval(sending))
  })
  expect(await program.authorize(clientId)).toMatchObject({ status: 400, to: '' })
  site.answers((_request, response) => response.write('{'))
  expect(await program.authorize(clientId)).toMatchObject({ status: 400, to: '' })
})

test('when nobody has let a program in, then its tokens fetch nothing', async () => {
  const before = site.requests.length
  const { body } = await program.exchange(documentOf(), 'code', pkce().verifier)
  expect([body.error, site.requests.length]).toEqual(['invalid_client', before])
})

test('when 1,000 programs come from one address, then 60 of them are taken', async () => {
  const answers = []
  for (let n = 0; n < 1_000; n++) answers.push((await program.register()).status)
  expect(answers.filter(status => status === 201).length).toBeLessThanOrEqual(60)
  expect(answers.at(-1)).toBe(429)
  expect(await program.authorize(documentOf())).toMatchObject({ status: 400, to: '' })
  // These paths don't exist, so they need no limit.
  for (const path of ['/oauth/register/', '/oauth/REGISTER'])
    expect((await fetch(`${auth.url}${path}`, { method: 'POST' })).status).toBe(404)
})

test('when the address is private, then nothing is sent there', async () => {
  const strict = await startAuth()
  const before = site.requests.length
  for (const host of ['localhost', '127.0.0.1']) {
    const clientId = documentOf().replace('localhost', host)
    expect(await createProgram(strict).authorize(clientId)).toMatchObject({ status: 400, to: '' })
  }
  expect(site.requests).toHaveLength(before)
  await strict.stop()
})

test('when one address brings 700 questions, then 600 of them are taken', async () => {
  const statuses = []
  for (let n = 0; n < 700; n++) statuses.push((await program.authorize('nobody')).status)
  expect(statuses.filter(status => status === 400).length).toBeLessThanOrEqual(600)
  expect(statuses.at(-1)).toBe(429)
  for (const path of ['/oauth/authorize/', '/oauth/AUTHORIZE'])
    expect((await fetch(`${auth.url}${path}?client_id=nobody`)).status).toBe(404)
})
