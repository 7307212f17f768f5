import fc from 'fast-check'
import { excerptOf } from './chat-texts.ts'

test('when a text is long, then its beginning ends at a character and fits a caption', () => {
  const texts = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 1500 })
  fc.assert(
    fc.property(texts, text => {
      const excerpt = excerptOf(text)
      if (text.length <= 600) return excerpt === text
      const beginning = excerpt.slice(0, -2)
      return (
        excerpt.endsWith(' …') &&
        excerpt.length <= 602 &&
        text.startsWith(beginning) &&
        excerpt.isWellFormed()
      )
    }),
  )
})

test('when there are words, then none is cut', () => {
  expect(excerptOf('word '.repeat(200))).toBe(`${'word '.repeat(120).trim()} …`)
})
