import { jest } from '@jest/globals'
import { act, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { CrashBoundary } from '../ui/feedback/crash-boundary.tsx'
import { CrashScreen, loadOrReload } from './lazy-screen.tsx'

const Screen = () => null
function Crashing(): never {
  throw new Error('secret details')
}

test('when a screen crashes, then a person reads so, without its details, and gets on elsewhere', () => {
  // React writes every crash to the console.
  const written = jest.spyOn(console, 'error').mockImplementation(() => {})
  const at = (place: string, screenful: React.ReactNode) => (
    <MemoryRouter>
      <CrashBoundary place={place} fallback={<CrashScreen />}>
        {screenful}
      </CrashBoundary>
    </MemoryRouter>
  )
  const view = render(at('/a', <Crashing />))
  expect(screen.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeTruthy()
  expect(screen.queryByText(/secret details/)).toBeNull()
  view.rerender(at('/b', <p>Another page</p>))
  expect(screen.getByText('Another page')).toBeTruthy()
  written.mockRestore()
})

describe('when the code of a screen can’t be loaded', () => {
  const gone = () => Promise.reject(new Error('Failed to fetch dynamically imported module'))
  const before = globalThis.fetch
  const server = jest.fn<typeof fetch>()
  beforeEach(() => {
    server.mockResolvedValue({} as Response)
    globalThis.fetch = server
  })
  afterEach(() => {
    globalThis.fetch = before
  })

  test('for want of a network, then the page says so and stays', async () => {
    server.mockRejectedValue(new TypeError('Failed to fetch'))
    const reload = jest.fn()
    const { default: Instead } = await loadOrReload(gone, reload)
    render(<Instead />, { wrapper: MemoryRouter })
    expect(screen.getByRole('heading', { name: 'No connection' })).toBeTruthy()
    expect(screen.getByText(/^Network error/)).toBeTruthy()
    expect(reload).not.toHaveBeenCalled()
  })

  test('while the server is away behind a proxy, then the page stays, and is loaded again once it is back', async () => {
    server.mockResolvedValue({ status: 502 } as Response)
    const reload = jest.fn()
    const { default: Instead } = await loadOrReload(gone, reload)
    jest.useFakeTimers()
    try {
      render(<Instead />, { wrapper: MemoryRouter })
      expect(screen.getByRole('heading', { name: 'No connection' })).toBeTruthy()
      await act(() => jest.advanceTimersByTimeAsync(10_000))
      expect(reload).not.toHaveBeenCalled()
      server.mockResolvedValue({ status: 200 } as Response)
      await act(() => jest.advanceTimersByTimeAsync(3_000))
      expect(reload).toHaveBeenCalled()
    } finally {
      jest.useRealTimers()
    }
  })

  /** The first load never settles, because the page is being reloaded. */
  const givenUp = (load: Parameters<typeof loadOrReload>[0], reload: () => void) => {
    void loadOrReload(load, reload)
    return waitFor(() => expect(sessionStorage.length).toBe(1))
  }

  test('then the page is loaded again, once, also when other chunks are there', async () => {
    const reload = jest.fn()
    await givenUp(gone, reload)
    expect(reload).toHaveBeenCalledTimes(1)
    await loadOrReload(async () => ({ default: Screen }), reload)
    await expect(loadOrReload(gone, reload)).rejects.toThrow('Failed to fetch')
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test('then a while later it is tried again', async () => {
    const reload = jest.fn()
    await givenUp(gone, reload)
    sessionStorage.setItem('voxscribe.reloaded', String(Date.now() - 61_000))
    void loadOrReload(gone, reload)
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
  })
})
