import { readFileSync } from 'node:fs'
import { act, screen, waitFor, within } from '@testing-library/react'
import { failure, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'
import { i18n, showLanguage, showStoredLanguage } from './i18n.ts'

const catalogue = JSON.parse(readFileSync('packages/languages/catalogues/de.json', 'utf8'))
let network: 'there' | 'away' = 'there'

beforeEach(() => {
  network = 'there'
  // The catalogues are files next to the app.
  globalThis.fetch = async () => {
    if (network === 'away') throw new TypeError('Failed to fetch')
    const title = { 'Convert WhatsApp Audio to Text': 'Sprachnotizen als Text' }
    return Response.json({ ...catalogue, ...title, Home: 'Startseite', 'Quick links': 'Schnell gefunden' })
  }
})
afterEach(() => act(() => showLanguage('en')))

async function choose(user: ReturnType<typeof openApp>['user'], name: string) {
  const footer = within(screen.getByRole('contentinfo'))
  await user.selectOptions(footer.getByRole('combobox', { name: i18n.t('Language') }), name)
}

describe('when a language is chosen in the footer', () => {
  test('then the page speaks it, and so does the next visit', async () => {
    const { user } = openApp('/')
    await screen.findByRole('contentinfo')
    await choose(user, 'Deutsch')
    expect(await screen.findByText('Schnell gefunden')).toBeTruthy()
    expect(document.activeElement).toBe(
      within(screen.getByRole('contentinfo')).getByRole('combobox', { name: i18n.t('Language') }),
    )
    expect(document.documentElement.lang).toBe('de')
    expect(document.title).toBe('Sprachnotizen als Text · Voxscribe')
    await act(() => showLanguage('en'))
    localStorage.setItem('voxscribe.language', 'de')
    await act(showStoredLanguage)
    expect(i18n.locale).toBe('de')
  })

  test('and it is Arabic, then the page runs from right to left', async () => {
    const { user } = openApp('/')
    await screen.findByRole('contentinfo')
    await choose(user, 'العربية')
    await waitFor(() => expect(document.documentElement.dir).toBe('rtl'))
    await act(() => showLanguage('en'))
    expect(document.documentElement.dir).toBe('ltr')
  })

  test('and the network is away, then the page stays as it is', async () => {
    const { user } = openApp('/')
    await screen.findByRole('contentinfo')
    network = 'away'
    await choose(user, 'Deutsch')
    expect(screen.getByText('Quick links')).toBeTruthy()
    expect(localStorage.getItem('voxscribe.language')).not.toBe('de')
  })

  test('and a person is signed in, then it becomes that of their chat and mails', async () => {
    const updateProfile = () => ok({ user: { ...ada, ui_language: 'de' } })
    const { user, api } = openApp('/', { updateProfile }, ada)
    await screen.findByRole('contentinfo')
    await choose(user, 'Deutsch')
    await waitFor(() => expect(api.of('updateProfile')[0]?.body).toEqual({ ui_language: 'de' }))
  })

  test('and the profile cannot be changed now, then the page still speaks it', async () => {
    const { user } = openApp('/', { updateProfile: () => failure(503) }, ada)
    await screen.findByRole('contentinfo')
    await choose(user, 'Deutsch')
    expect(await screen.findByText('Schnell gefunden')).toBeTruthy()
  })
})

test('when no language was chosen, then the browser’s first that we speak is shown', async () => {
  Object.defineProperty(navigator, 'languages', { value: ['tlh', 'de-AT', 'en'], configurable: true })
  await act(showStoredLanguage)
  expect(i18n.locale).toBe('de')
})

test('when two languages are asked for at once, then the last one is shown, whichever comes first', async () => {
  const late = Promise.withResolvers<void>()
  const now = globalThis.fetch
  globalThis.fetch = async address => {
    if (String(address).includes('/de.json')) await late.promise
    return now(address)
  }
  const german = act(() => showLanguage('de'))
  await act(() => showLanguage('es'))
  late.resolve()
  await german
  expect([i18n.locale, localStorage.getItem('voxscribe.language')]).toEqual(['es', 'es'])
})
