import type { BrowserContextOptions, Page } from 'playwright-core'
import { chatCase } from './cases/chat.ts'
import { PHONE, screenshot, scrollsSideways, signIn, useBrowser } from './testing/browser.ts'
import { startOneProcess } from './testing/one-process.ts'
import { chatOf, newNumber, signUp } from './testing/person.ts'
import { recognised, SENTENCE, voiceNote, wordsOf } from './testing/speech.ts'
import { MACHINES_FFMPEG } from './testing/system.ts'

// One path through the whole system each for chat, browser and payment; the fourth is in faults/crash.slow.test.ts.
// `npm test` runs these, `npm run test:all` the slow ones as well.

const { system, open: openWindow } = useBrowser(() => startOneProcess(MACHINES_FFMPEG))

describe('in the chat', () => chatCase(system))

describe('in the browser', () => {
  let page: Page
  const open = async (options: BrowserContextOptions = {}) => {
    page = await openWindow(options)
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const heading = (name: string | RegExp) => page.getByRole('heading', { name })

  test('when a person signs up on a phone and sends a note, then its words appear without a reload', async () => {
    await open({ viewport: PHONE })
    const national = newNumber()
    await page.goto('/signup')
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill('Lovelace')
    await page.getByLabel('Email').fill(`ada-${national}@example.com`)
    await page.getByLabel('WhatsApp number').fill(national)
    await page.locator('input[type=password]').nth(0).fill('correct horse')
    await page.locator('input[type=password]').nth(1).fill('correct horse')
    await button('Continue to Free Trial').click()
    await page.waitForURL('**/dashboard')
    await heading('Hello, Ada').waitFor()
    await page.locator('article', { hasText: 'Sample' }).waitFor()

    const link = (await page.getByRole('link', { name: /Open in WhatsApp/ }).getAttribute('href')) ?? ''
    const chat = chatOf(system(), `1${national}`)
    await chat.sendText(new URL(link).searchParams.get('text') ?? '')
    await screenshot(page, 'dashboard')
    await page.goto('/transcription-history')
    await chat.sendNote(await voiceNote(), { voice: true })
    const card = page.locator('article', { hasText: 'Completed' })
    await card.waitFor()
    expect(recognised(wordsOf(SENTENCE), (await card.textContent()) ?? '')).toBeGreaterThanOrEqual(0.6)
    await screenshot(page, 'history')

    await page.goto('/dashboard')
    await button('QR code, steps and formats').click()
    await page.getByText('Linked to you').waitFor()
    expect(await scrollsSideways(page)).toBe(false)
  })

  test('when a person buys the plan, cancels and undoes that, then each step shows', async () => {
    await open()
    const person = await signUp(system())
    await page.goto('/signin')
    await signIn(page, person)
    await page.waitForURL('**/dashboard')
    await page.getByRole('link', { name: 'Upgrade to Pro' }).click()
    await button('Subscribe Now').click()
    await page.waitForURL('**/stripe/pay/**')
    await button(/^Pay \$/).click()
    await page.waitForURL('**/subscription/success**')
    await page.getByText('$4.99').first().waitFor()
    await page.goto('/dashboard')
    await page.getByText('Pro Plan Active').waitFor()
    await button('Cancel Subscription').click()
    await button('Yes, cancel it').click()
    await page.getByText('Pro Plan - Canceling').waitFor()
    await button('Reactivate').click()
    await page.getByText('Pro Plan Active').waitFor()
    await page.locator('button:focus', { hasText: 'Cancel Subscription' }).waitFor()
    await page.goto('/subscription-details')
    await heading('Recent payments').waitFor()
    await screenshot(page, 'subscription-details')
    expect(await person.plan()).toMatchObject({
      plan: 'monthly',
      status: 'active',
      subscription_minutes: 1000,
    })
  })
})
