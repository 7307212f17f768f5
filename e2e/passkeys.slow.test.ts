import type { CDPSession, Page } from 'playwright-core'
import { faultsIn, screenshot, settled, signIn, useBrowser } from './testing/browser.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'

// Browsers refuse passkeys for IP addresses.
const { system, open } = useBrowser(() => startOneProcess({}, undefined, 'localhost'))

/**
 * Gives the page a platform authenticator whose user confirms everything, and returns its stored credentials. At
 * addresses with `#button`, the browser offers no passkey at the field.
 */
async function withAuthenticator(page: Page) {
  await page.addInitScript(() => {
    if (location.hash === '#button')
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  const devtools: CDPSession = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
}

test('when a person adds a passkey, then they can sign in with it at the field or by the button, rename and remove it', async () => {
  const person = await signUp(system())
  const page = await open()
  const credentials = await withAuthenticator(page)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const signOut = async (address: string) => {
    await page.evaluate(() => localStorage.clear())
    await page.goto(address)
  }

  await page.goto('/security')
  await signIn(page, person)
  await page.getByLabel('Name', { exact: true }).fill('This laptop')
  await button('Add passkey').click()
  await page.getByText('You can sign in with this passkey now.').waitFor()
  const line = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
  expect(await line.textContent()).toMatch(/This laptop.*Last used.*Never/s)
  expect(await credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])
  await person.mail(/A passkey was added/)
  await settled(page)
  expect(await faultsIn(page)).toEqual([])
  await screenshot(page, 'passkeys')

  // The device refuses a second one, and the page says so.
  await page.getByLabel('Name', { exact: true }).fill('Again')
  await button('Add passkey').click()
  await page.getByText('No passkey was added.').waitFor()

  await signOut('/signin#button')
  expect(await page.getByLabel('Email').getAttribute('autocomplete')).toMatch(/ webauthn$/)
  await button('Sign in with a passkey').waitFor()
  expect(await faultsIn(page)).toEqual([])
  await screenshot(page, 'passkey-sign-in')
  await button('Sign in with a passkey').click()
  await page.waitForURL('**/dashboard')

  await signOut('/signin')
  await page.waitForURL('**/dashboard')

  await page.goto('/security')
  await button('Rename This laptop').click()
  await line.getByLabel('Name', { exact: true }).fill('Old laptop')
  await line.getByRole('button', { name: 'Save' }).click()
  await button('Remove Old laptop').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The passkey was removed.').waitFor()
  await person.mail(/A passkey was removed/)

  // The device still has the passkey.
  await signOut('/signin#button')
  await button('Sign in with a passkey').click()
  await page.getByText('This passkey was not accepted.').waitFor()
  await signIn(page, person)
  await page.waitForURL('**/dashboard')
})
