import { screen } from '@testing-library/react'
import { fakeApi } from '../testing/fake-api.ts'
import { renderApp } from '../testing/render-app.tsx'

describe('when a page is opened', () => {
  test('a path that does not exist shows the 404 page', async () => {
    fakeApi()
    renderApp('/nowhere')
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
  })
})
