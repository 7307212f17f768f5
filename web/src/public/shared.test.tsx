import { screen, waitFor } from '@testing-library/react'
import type { SharedNote } from '@voxscribe/contracts/http'
import { failure, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'

const note: SharedNote = {
  title: 'عيد ميلاد',
  titleFrom: 'person',
  source: 'whatsapp',
  date: '2026-11-20',
  text: 'مرحبا\n\nI will be late.',
  paragraphs: [
    { from: 0, to: 2, text: 'مرحبا' },
    { from: 61, to: 63, text: 'I will be late.' },
  ],
  segments: [],
  speakers: [],
  audioUrl: null,
}

test('when a link is opened, then the note is there, without a session, asked for once', async () => {
  const { api, container } = openApp('/s/tok-en', { sharedNote: () => ok<'sharedNote'>(note) }, ada)
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('عيد ميلاد')
  expect(screen.getByText('Nov 20, 2026')).toBeTruthy()
  expect(screen.getByText('I will be late.').closest('[dir=auto]')).toBeTruthy()
  expect(container.querySelector('audio')).toBeNull()
  expect(document.head.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex')
  expect(screen.getByRole('link', { name: 'Try it for free' }).getAttribute('href')).toBe('/signup')
  const [asked, ...others] = api.of('sharedNote')
  expect(asked).toMatchObject({ params: { token: 'tok-en' }, authorization: undefined })
  window.dispatchEvent(new Event('focus'))
  window.dispatchEvent(new Event('online'))
  expect([...others, ...api.of('sharedNote').slice(1)]).toEqual([])
})

test('when its title is from the text, then it is headed by its day, and no words stand there twice', async () => {
  openApp('/s/tok-en', {
    sharedNote: () => ok<'sharedNote'>({ ...note, title: 'I will be late', titleFrom: 'text' }),
  })
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Voice note, Nov 20, 2026')
  expect(screen.getAllByText(/I will be late/)).toHaveLength(1)
})

test('when it has the recording, then a paragraph plays from its time', async () => {
  const audioUrl = '/api/shared/tok-en/audio'
  const { user, container } = openApp('/s/tok-en', {
    sharedNote: () => ok<'sharedNote'>({ ...note, audioUrl }),
  })
  await screen.findByText('مرحبا')
  const player = container.querySelector('audio')!
  expect(player.getAttribute('src')).toBe(audioUrl)
  let played = 0
  player.play = async () => {
    played += 1
  }
  await user.click(screen.getByRole('button', { name: 'Play from 1 minute, 1 second' }))
  expect([player.currentTime, played]).toEqual([61, 1])
})

test.each([
  [failure(404, 'This link has ended, or it is not complete.'), 'This link no longer works'],
  [failure(429, 'Too many attempts.'), 'Too many attempts.'],
])('when it cannot be read, then the page says why, and nobody is sent to sign in', async (answer, text) => {
  const { place } = openApp('/s/old', { sharedNote: () => answer })
  expect(await screen.findByText(text)).toBeTruthy()
  await waitFor(() => expect(place()).toBe('/s/old'))
})
