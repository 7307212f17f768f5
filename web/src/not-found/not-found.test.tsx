import { screen } from '@testing-library/react'
import { fakeApi } from '../testing/fake-api.ts'
import { renderApp } from '../testing/render-app.tsx'
import { freshBrowser } from '../testing/storage.ts'

test('when nothing is at an address, then the page says 404 and leads home', async () => {
  freshBrowser()
  fakeApi()
  renderApp('/no/such/page')
  expect(await screen.findByText('404')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go Home' }).getAttribute('href')).toBe('/')
})
