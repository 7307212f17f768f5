import { UI_LANGUAGES } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import fc from 'fast-check'
import { commandText, excerptOf } from './chat-texts.ts'

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

/** Longest WhatsApp message with buttons, the shortest limit of all channels. */
const BODY_MAX = 1_024
const offer = { freeMinutes: 30, plans: true }
const here = { publicUrl: 'https://app.voxscribe.example', hasTextModel: true, offer }
const balance = { userId: 'u1', remainingSeconds: 3_599_940, periodEnd: '2026-12-31T00:00:00.000Z' }

test.each(UI_LANGUAGES)(
  'when help is asked for in %s, then it fits the message of every channel',
  language => {
    const help = commandText.help(i18nFor(language), balance as never, here)
    expect(help.length).toBeLessThan(BODY_MAX)
  },
)
