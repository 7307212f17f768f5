import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import type { EndpointKey } from '@voxscribe/contracts/calls'
import { failure, held, noNetwork, ok } from '../testing/fake-api.ts'
import { completed, pageOf } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'

test.each<[address: string, EndpointKey, words: string]>([
  ['/dashboard', 'profile', 'Failed to load profile'],
  ['/transcription-history', 'transcriptions', 'Failed to fetch transcriptions'],
  ['/transcriptions/note-1', 'transcription', 'Failed to load the transcript'],
  ['/update-profile', 'profile', 'Failed to load profile data'],
  ['/update-profile', 'countries', 'Failed to load countries or languages'],
  ['/signup', 'countries', 'Failed to load countries or languages'],
  ['/subscription-details', 'subscriptionDetails', 'Failed to load subscription details'],
])('when %s lacks the answer to %s, then it says %j, and asks again', async (address, key, words) => {
  const languages = () => ({ status: 200, body: { success: true, data: [] } })
  const view = openApp(
    address,
    { languages, [key]: () => failure(200) },
    address === '/signup' ? undefined : ada,
  )
  const banner = await screen.findByText(words)
  view.api.on({ [key]: () => failure(500, 'The archive is closed') })
  await view.user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(banner.textContent).toBe('The archive is closed'))
  const asked = view.api.of(key).length
  view.api.on({ [key]: held().handler })
  await view.user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(view.api.of(key)).toHaveLength(asked + 1))
})

test('when the connection is back, then what could not be read is read by itself', async () => {
  const { api } = openApp('/transcription-history', { transcriptions: noNetwork }, ada)
  await screen.findByText(/^Network error/)
  act(() => onlineManager.setOnline(false))
  api.on({ transcriptions: () => ok(pageOf([completed])) })
  const asked = api.of('transcriptions').length
  await act(async () => onlineManager.setOnline(true))
  // It loads at once, not after some seconds.
  expect(api.of('transcriptions').length).toBe(asked + 1)
  expect(await screen.findByText(completed.text)).toBeTruthy()
  expect(screen.queryByText(/^Network error/)).toBeNull()
})
