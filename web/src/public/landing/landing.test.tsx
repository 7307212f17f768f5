import { screen, within } from '@testing-library/react'
import { ada } from '../../testing/people.ts'
import { config } from '../../testing/plans.ts'
import { openApp } from '../../testing/render-app.tsx'

async function open(as?: typeof ada) {
  const { api } = openApp('/', {}, as)
  await screen.findByRole('heading', { level: 1, name: 'Convert WhatsApp Audio to Text' })
  return { api, main: within(screen.getByRole('main')) }
}

test.each([
  ['signed out', undefined, 'Get Started', '/signup'],
  ['signed in', ada, 'Go to Dashboard', '/dashboard'],
])('when somebody is %s, then the first button leads where they want to go', async (_, as, name, href) => {
  const { main } = await open(as)
  expect(main.getByRole('link', { name }).getAttribute('href')).toBe(href)
  expect(main.getByRole('link', { name: 'View Pricing' }).getAttribute('href')).toBe('/pricing')
})

test('when the page is read, then it has its steps in order, every claim and every type', async () => {
  const { main } = await open()
  const steps = main.getAllByRole('heading', { level: 3 }).map(step => step.textContent)
  expect(steps.slice(0, 3)).toEqual(['1Send Audio', '2We Process', '3Receive Text'])
  for (const claim of ['95%+', '50+', '24 hr', '30 sec – 2 min']) expect(main.getByText(claim)).toBeTruthy()
  for (const type of ['MP3', 'WAV', 'FLAC', 'M4A', 'AAC', 'OGG', 'MP4', 'MPEG', 'WEBM'])
    expect(main.getByText(type)).toBeTruthy()
})

test('when a visitor opens it, then only what this installation does is asked of the server', async () => {
  const speech = { languages: ['en', 'de'], secondsPerMinute: 4.6 }
  const asked: unknown[] = []
  globalThis.fetch = async address => {
    asked.push(address)
    return { json: async () => ({ data: { ...config, speech } }) } as Response
  }
  const { api, main } = await open()
  expect(await main.findByText(/On this installation: 2 languages\./)).toBeTruthy()
  expect(main.getByText(/A minute of speech takes about 5 seconds here\./)).toBeTruthy()
  expect(asked).toEqual(['/api/config'])
  expect(api.requests).toEqual([])
})
