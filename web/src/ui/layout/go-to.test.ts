import { jest } from '@jest/globals'
import { goTo } from './go-to.ts'

afterEach(() => {
  delete (window as Partial<Window>).matchMedia
})

test.each([
  [false, 0, 'smooth'],
  [true, 0, 'auto'],
  [false, 20_000, 'auto'],
  [false, -20_000, 'auto'],
])('when less motion is asked for: %s, over %d pixels, then scrolling is %s', (matches, top, behavior) => {
  window.matchMedia = (() => ({ matches })) as unknown as typeof window.matchMedia
  const element = document.createElement('p')
  element.getBoundingClientRect = () => ({ top }) as DOMRect
  element.scrollIntoView = jest.fn<Element['scrollIntoView']>()
  goTo(element)
  expect(element.scrollIntoView).toHaveBeenCalledWith({ block: 'center', behavior })
})
