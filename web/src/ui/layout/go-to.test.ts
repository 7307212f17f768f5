import { jest } from '@jest/globals'
import { goTo } from './go-to.ts'

afterEach(() => {
  delete (window as Partial<Window>).matchMedia
})

test.each([
  [false, 'smooth'],
  [true, 'auto'],
])('when less motion is asked for: %s, then scrolling is %s', (matches, behavior) => {
  window.matchMedia = (() => ({ matches })) as unknown as typeof window.matchMedia
  const element = document.createElement('p')
  element.scrollIntoView = jest.fn<Element['scrollIntoView']>()
  goTo(element)
  expect(element.scrollIntoView).toHaveBeenCalledWith({ block: 'center', behavior })
})
