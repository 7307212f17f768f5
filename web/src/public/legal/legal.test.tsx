import { screen, waitFor } from '@testing-library/react'
import { noNetwork, ok } from '../../testing/fake-api.ts'
import { config } from '../../testing/plans.ts'
import { openApp } from '../../testing/render-app.tsx'

const main = async () => (await screen.findByRole('main')).textContent

test.each([
  ['openai', /OpenAI recognizes the speech/, /on our own servers/],
  ['local', /on our own servers/, /OpenAI/],
])('when %s hears the notes, then the privacy policy says so', async (name, said, unsaid) => {
  const speech = { engines: [{ name, model: 'model' }], languages: 'all' as const, speakers: false }
  openApp('/privacy', { config: () => ok({ ...config, speech, retentionDays: 14 }) })
  await screen.findByText(/Audio is deleted after 14 days/)
  expect(await main()).toMatch(said)
  expect(await main()).not.toMatch(unsaid)
  const support = screen.getByRole('link', { name: 'support@example.org' })
  expect(support.getAttribute('href')).toBe('mailto:support@example.org')
})

test('when the terms are read, then they have the prices and the operator’s address', async () => {
  openApp('/terms')
  await screen.findByText(/1,000 minutes a month for \$4\.99/)
  expect(screen.getByRole('link', { name: 'support@example.org' })).toBeTruthy()
})

test('when the operator has a text, then the browser goes there, and ours is not shown', async () => {
  window.location.hash = ''
  const legal = { ...config.legal, terms: '#our-terms' }
  openApp('/terms', { config: () => ok({ ...config, legal }) })
  await waitFor(() => expect(window.location.hash).toBe('#our-terms'))
  expect(screen.queryByText(/The free plan has/)).toBeNull()
  window.location.hash = ''
})

test('when the settings cannot be loaded, then another try is offered', async () => {
  const { api, user } = openApp('/privacy', { config: noNetwork })
  const retry = await screen.findByRole('button', { name: 'Try again' })
  api.on({ config: () => ok(config) })
  await user.click(retry)
  expect(await screen.findByText(/We do not sell your data/)).toBeTruthy()
})
