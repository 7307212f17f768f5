import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'
import { storedItems } from '../testing/storage.ts'
import { applyTheme } from './theme.tsx'

const header = () => screen.getByRole('banner')
const menuButton = () => screen.getByRole('button', { name: 'Menu' })
const mobileMenu = () => document.getElementById(menuButton().getAttribute('aria-controls')!)!
const namesIn = (box: HTMLElement) =>
  [...box.querySelectorAll('a, button')].map(entry => entry.textContent?.trim())

test.each([
  [{ first_name: 'Ada', name: 'Ada Lind' }, 'Ada'],
  [{ first_name: '', name: 'A. Lind' }, 'A. Lind'],
  [{ first_name: '', name: '' }, 'User'],
])('when the user is %j, then the menu is called %s', async (names, label) => {
  openApp('/blog', {}, { ...ada, ...names })
  expect(await within(header()).findByRole('button', { name: label })).toBeTruthy()
})

test('when the user menu opens, then it has its entries, and Escape closes it', async () => {
  const app = openApp('/blog', {}, ada)
  const button = await within(header()).findByRole('button', { name: 'Ada' })
  const entries = document.getElementById(button.getAttribute('aria-controls')!)!
  expect(entries.hidden).toBe(true)
  await app.user.click(button)
  expect(entries.hidden).toBe(false)
  expect(namesIn(entries)).toEqual(['Dashboard', 'Transcriptions', 'Profile', 'Log Out'])
  await app.user.tab()
  await app.user.keyboard('{Escape}')
  expect(entries.hidden).toBe(true)
  expect(document.activeElement).toBe(button)
  await app.user.click(button)
  await app.user.click(screen.getByRole('main'))
  expect(entries.hidden).toBe(true)
})

test('when Log Out is chosen, then the session is gone and the page is not remembered', async () => {
  const app = openApp('/welcome', {}, ada)
  await app.user.click(await within(header()).findByRole('button', { name: 'Ada' }))
  await app.user.click(screen.getByRole('button', { name: 'Log Out' }))
  await screen.findByRole('heading', { name: 'Sign In' })
  expect(app.place()).toBe('/signin')
  expect(storedItems()).toEqual([])
})

test('when the page is scrolled by more than 20 px, then the header changes', async () => {
  openApp('/blog')
  await screen.findByRole('heading', { level: 1 })
  const scrollTo = (y: number) => {
    Object.defineProperty(window, 'scrollY', { value: y, configurable: true })
    act(() => void fireEvent.scroll(window))
    return header().dataset.scrolled
  }
  expect([scrollTo(0), scrollTo(20), scrollTo(21), scrollTo(5)]).toEqual(['false', 'false', 'true', 'false'])
})

test.each([
  ['signed out', undefined, ['Home', 'Pricing', 'Blog', 'Contact', 'Sign Up', 'Sign In']],
  ['signed in', ada, ['Transcriptions', 'Pricing', 'Blog', 'Contact', 'Dashboard', 'Settings', 'Log Out']],
])('when the mobile menu is opened by somebody %s, then it has its entries', async (_, as, entries) => {
  const app = openApp('/blog', {}, as)
  await screen.findByRole('heading', { level: 1 })
  await app.user.click(menuButton())
  expect(namesIn(mobileMenu())).toEqual(entries)
  await app.user.click(within(mobileMenu()).getByRole('link', { name: 'Pricing' }))
  await waitFor(() => expect(app.place()).toBe('/pricing'))
  expect(mobileMenu().hidden).toBe(true)
})

test('when the footer is read, then it has its links, services and support', async () => {
  openApp('/blog')
  await screen.findByRole('heading', { level: 1 })
  const footer = within(screen.getByRole('contentinfo'))
  const links = [
    ['Home', '/'],
    ['Pricing', '/pricing'],
    ['Blog', '/blog'],
    ['Sign Up', '/signup'],
    ['Write to support', '/contact'],
    ['Privacy Policy', '/privacy'],
    ['Terms of Service', '/terms'],
    ['Cookie Policy', '/cookies'],
  ]
  for (const [name, href] of links)
    expect(footer.getByRole('link', { name: name! }).getAttribute('href')).toBe(href)
  for (const service of ['Audio transcription', 'Voice to text', 'Multi-language support', 'High accuracy'])
    expect(footer.getByText(service)).toBeTruthy()
  for (const [name, address] of [
    ['Share on X', 'https://x.com/'],
    ['Share on LinkedIn', 'https://www.linkedin.com/'],
  ])
    expect(footer.getByRole('link', { name: name! }).getAttribute('href')).toContain(address)
  for (const link of footer.getAllByRole('link')) expect(link.getAttribute('href')).not.toMatch(/^#/)
})

test('when a theme is chosen, then the page has it, also the next time', async () => {
  const app = openApp('/blog')
  await screen.findByRole('heading', { level: 1 })
  await app.user.click(screen.getByRole('radio', { name: 'Dark' }))
  expect(document.documentElement.dataset.theme).toBe('dark')
  document.documentElement.dataset.theme = ''
  applyTheme()
  expect(document.documentElement.dataset.theme).toBe('dark')
  await app.user.click(screen.getByRole('radio', { name: 'System' }))
  expect(document.documentElement.dataset.theme).toBe('system')
})

test('when the network is lost, then the page says that it is not up to date', async () => {
  openApp('/contact')
  await screen.findByRole('heading', { level: 1 })
  fireEvent(window, new Event('offline'))
  expect(await screen.findByText(/^You’re offline/)).toBeTruthy()
  fireEvent(window, new Event('online'))
  expect(screen.queryByText(/^You’re offline/)).toBeNull()
})

test('when somebody is signed in, then a phone’s footer is one line, and the settings have the rest', async () => {
  openApp('/words', {}, ada)
  const rest = within(await screen.findByRole('region', { name: 'Language and appearance' }))
  expect(rest.getByLabelText('Language')).toBeTruthy()
  // A browser checks only one radio button per name, and a wide screen's footer has the same choice.
  const names = screen.getAllByRole<HTMLInputElement>('radio', { name: 'System' }).map(({ name }) => name)
  expect(new Set(names).size).toBe(2)
  expect(rest.getByRole('radio', { name: 'Dark' })).toBeTruthy()
  const line = within(screen.getByRole('contentinfo')).getAllByRole('list')[0]!
  expect(namesIn(line)).toEqual(['Docs', 'Contact', 'Privacy Policy'])
})
