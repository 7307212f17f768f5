import { jest } from '@jest/globals'

const limits = await import('@voxscribe/contracts/limits')
const plans = await import('@voxscribe/contracts/plans')

// Each limit is changed in its only place, before everything that reads it is loaded.
const CHANGED = { LONG_SPEECH_SECONDS: 61, SIGNUP_PASSWORD_MIN: 12, SUPPORT_HOURS: 47 }
jest.unstable_mockModule('@voxscribe/contracts/limits', () => ({
  ...limits,
  ...CHANGED,
  HISTORY_PAGE_SIZE: 20,
}))
jest.unstable_mockModule('@voxscribe/contracts/plans', () => ({
  ...plans,
  PLANS: { ...plans.PLANS, monthly: { ...plans.PLANS.monthly, cents: 599 } },
}))

const { screen, waitFor } = await import('@testing-library/react')
const { ok } = await import('./testing/fake-api.ts')
const { ada } = await import('./testing/people.ts')
const { config } = await import('./testing/plans.ts')
const { openApp } = await import('./testing/render-app.tsx')

test.each([
  ['/pricing', ['$5.99', 'Support reply within 47 hours']],
  ['/signup', ['At least 12 characters']],
  ['/contact', ['We reply within 47 hours.']],
  ['/', ['47 h']],
])('when limits and plans are changed, then the page %s says so', async (address, sentences) => {
  openApp(address)
  await screen.findByRole('main')
  await waitFor(() => {
    for (const sentence of sentences) expect(document.body.textContent).toContain(sentence)
  })
})

test('when limits are changed, then the profile and the history follow', async () => {
  const { api, navigate } = openApp(
    '/update-profile',
    { config: () => ok({ ...config, textModel: true }) },
    ada,
  )
  await waitFor(() => expect(document.body.textContent).toContain('more than 61 seconds'))
  await navigate('/transcription-history')
  await waitFor(() => expect(api.of('transcriptions').at(-1)).toMatchObject({ query: { limit: 20 } }))
})
