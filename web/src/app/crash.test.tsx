import { jest } from '@jest/globals'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { freshBrowser } from '../testing/reset.ts'
import { CrashBoundary } from './crash-boundary.tsx'
import { loadOrReload } from './lazy-screen.tsx'

const Screen = () => null
const Crashing = () => {
  throw new Error('secret details')
}

beforeEach(freshBrowser)

describe('when a screen crashes', () => {
  // React writes every crash to the console.
  beforeEach(() => {
    jest.spyOn(console, 'error').mockImplementation(() => {})
  })
  afterEach(() => {
    jest.restoreAllMocks()
  })
  const at = (place: string, screenful: React.ReactNode) => (
    <MemoryRouter>
      <CrashBoundary place={place}>{screenful}</CrashBoundary>
    </MemoryRouter>
  )

  test('then a person reads so, without its details, and gets on elsewhere', () => {
    const view = render(at('/a', <Crashing />))
    expect(screen.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeTruthy()
    expect(screen.queryByText(/secret details/)).toBeNull()
    view.rerender(at('/b', <p>Another page</p>))
    expect(screen.getByText('Another page')).toBeTruthy()
  })
})

describe('when the code of a screen can’t be loaded', () => {
  const gone = () => Promise.reject(new Error('Failed to fetch dynamically imported module'))

  test('then the page is loaded again, once', async () => {
    let reloads = 0
    const reload = () => {
      reloads += 1
    }
    void loadOrReload(gone, reload)
    await Promise.resolve()
    await Promise.resolve()
    expect(reloads).toBe(1)
    await expect(loadOrReload(gone, reload)).rejects.toThrow('Failed to fetch')
    expect(reloads).toBe(1)
  })

  test('then after it worked again, another new version is loaded as well', async () => {
    let reloads = 0
    const reload = () => {
      reloads += 1
    }
    void loadOrReload(gone, reload)
    await Promise.resolve()
    await loadOrReload(async () => ({ default: Screen }), reload)
    void loadOrReload(gone, reload)
    await Promise.resolve()
    await Promise.resolve()
    expect(reloads).toBe(2)
  })
})
