import { screen, waitFor } from '@testing-library/react'
import type { PublicConfig } from '@voxscribe/contracts/http'
import { ok } from './testing/fake-api.ts'
import { ada } from './testing/people.ts'
import { config } from './testing/plans.ts'
import { openApp } from './testing/render-app.tsx'

/** Opens a page of an installation whose settings differ from the defaults. */
function openAt(address: string, settings: Partial<PublicConfig>, as?: typeof ada) {
  const here = { ...config, ...settings }
  // The landing page asks without the client of the others.
  globalThis.fetch = async () => Response.json({ data: here })
  return openApp(address, { config: () => ok(here) }, as)
}
const words = () => document.body.textContent

test.each([
  ['/', '90 days'],
  ['/contact', 'deleted after 90 days'],
  ['/blog/1', 'deleted after 90 days'],
  ['/blog/2', 'deleted after 90 days'],
  ['/blog/3', 'deleted after 90 days'],
  ['/privacy', 'deleted after 90 days'],
  ['/privacy', 'couldn’t be processed is kept for up to 7 days'],
])(
  'when audio and failed messages are kept for other times, then the page %s says %j',
  async (address, sentence) => {
    openAt(address, { retentionDays: 90, deadLetterDays: 7 })
    await waitFor(() => expect(words()).toContain(sentence))
    expect(words()).not.toContain('deleted after 30 days')
  },
)

test('when audio is kept for 90 days, then a person who chose fewer can go back to 90', async () => {
  openAt('/your-data', { retentionDays: 90 }, { ...ada, retention_days: 7 })
  const days = await screen.findByLabelText<HTMLSelectElement>('Recordings are deleted')
  expect([...days.options].map(({ value }) => value)).toEqual(['1', '3', '7', '14', '30', '90'])
})
