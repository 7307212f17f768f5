import { screen, within } from '@testing-library/react'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'

test('when a new account holder is welcomed, then they read what comes next', async () => {
  openApp('/welcome', {}, ada)
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, Ada' })).toBeTruthy()
  const main = within(screen.getByRole('main'))
  expect(main.getAllByRole('listitem')).toHaveLength(3)
  expect(main.getByRole('link', { name: 'Go to Dashboard' }).getAttribute('href')).toBe('/dashboard')
})
