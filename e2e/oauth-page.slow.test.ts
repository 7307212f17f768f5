import { startProvider, type TestProvider } from '@voxscribe/auth/testing/provider'
import { serve } from '@voxscribe/messaging/testing'
import {
  faultsIn,
  NARROW,
  screenshot,
  scrollsSideways,
  settled,
  signIn,
  useBrowser,
} from './testing/browser.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'

let provider: TestProvider
const { system, open } = useBrowser(async () => {
  provider = await startProvider()
  return startOneProcess(provider.settings)
})
afterAll(() => provider?.stop())

/** Starts a program on the person's machine that waits for its code. */
async function startProgram() {
  const arrived = Promise.withResolvers<URL>()
  const server = await serve((request, response) => {
    arrived.resolve(new URL(request.url ?? '', 'http://127.0.0.1'))
    response.end('You can close this window.')
  })
  const redirect = `${server.url}/callback`
  const registered = await fetch(`${system().appUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Claude', redirect_uris: [redirect] }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri: redirect, scope: 'read write', state: 'st' },
    ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
  })
  return {
    address: `${system().appUrl}/oauth/authorize?${query}`,
    arrived: arrived.promise,
    stop: server.stop,
  }
}

test('when a program opens a browser without a session, then signing in leads to the program’s request', async () => {
  const person = await signUp(system())
  const program = await startProgram()
  const page = await open()
  await page.goto(program.address)
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Let “Claude” in?' }).waitFor()
  await settled(page)
  expect(await faultsIn(page)).toEqual([])
  await screenshot(page, 'connect')
  await page.setViewportSize(NARROW)
  for (const language of ['ar', 'en']) {
    await person.http.post('/users/update-profile', { ui_language: language })
    await page.reload()
    await page.locator(`html[lang^="${language}"]`).waitFor()
    await page.getByRole('heading', { level: 1, name: /Claude/ }).waitFor()
    await settled(page)
    expect(await scrollsSideways(page)).toBe(false)
    expect(await faultsIn(page)).toEqual([])
  }
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  const { searchParams } = await program.arrived
  expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['st', system().appUrl])
  expect(searchParams.get('code')).toBeTruthy()
  await page.getByText('You can close this window.').waitFor()
  await page.goto(`${system().appUrl}/programs`)
  await page.getByRole('button', { name: 'Disconnect Claude' }).waitFor()
  await program.stop()
})

test('when a person comes from a program and uses the operator’s provider, then an account opens, and leads to the program', async () => {
  const person = { sub: 'grace', email: 'grace@example.com', email_verified: true }
  provider.is({ ...person, given_name: 'Grace', family_name: 'Hopper' })
  const program = await startProgram()
  const page = await open()
  const enter = async () => {
    await page.goto(program.address)
    await page.getByRole('button', { name: 'Continue with Lab' }).click()
  }
  await enter()
  await page.getByRole('heading', { name: 'Create account' }).waitFor()
  expect(await page.getByLabel('First name').inputValue()).toBe('Grace')
  await settled(page)
  expect(await faultsIn(page)).toEqual([])
  await page.getByLabel('WhatsApp number').fill('2025550147')
  await page.getByRole('button', { name: 'Continue to Free Trial' }).click()
  await page.getByRole('heading', { name: 'Let “Claude” in?' }).waitFor()

  await page.evaluate(() => localStorage.clear())
  await enter()
  await page.getByRole('heading', { name: 'Let “Claude” in?' }).waitFor()
  await page.getByText('grace@example.com').waitFor()
  await program.stop()
})

test('when the operator’s provider has an account’s address, then its password links both, once', async () => {
  const person = await signUp(system())
  provider.is({ sub: 'ada', email: person.email, email_verified: true })
  const page = await open()
  const enter = async () => {
    await page.goto(`${system().appUrl}/signin`)
    await page.getByRole('button', { name: 'Continue with Lab' }).click()
  }
  await enter()
  await page.getByRole('heading', { name: 'Is this your account?' }).waitFor()
  await settled(page)
  expect(await faultsIn(page)).toEqual([])
  await page.getByLabel('Password', { exact: true }).fill('not that one')
  await page.getByRole('button', { name: 'Link and sign in' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Link and sign in' }).click()
  await page.waitForURL('**/dashboard')

  await page.evaluate(() => localStorage.clear())
  await enter()
  await page.waitForURL('**/dashboard')
})

test('when a program is unknown, then the page says so and doesn’t redirect', async () => {
  const page = await open()
  const answer = await page.goto(`${system().appUrl}/oauth/authorize?client_id=nobody&response_type=code`)
  expect(answer?.status()).toBe(400)
  await page.getByRole('heading', { name: 'This program can’t be connected' }).waitFor()
})
