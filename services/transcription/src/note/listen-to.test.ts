import { joined } from './listen-to.ts'

const spans = [
  { from: 0, to: 10 },
  { from: 10, to: 40 },
]

test('when parts are joined, then the language is the one spoken longest and confidence is weighted by time', () => {
  const parts = [
    { text: 'hola ', language: 'es', confidence: 0.2 },
    { text: ' good morning', language: 'en', confidence: 0.6 },
  ]
  expect(joined(parts, spans, 'e')).toMatchObject({
    text: 'hola good morning',
    wordCount: 3,
    spokenLanguage: 'en',
    confidence: 0.5,
    notice: null,
  })
})

test('when a language is written without spaces, then parts are joined without one', () => {
  const part = { text: '你好', language: 'zh', confidence: null }
  expect(joined([part, part], spans, 'e')).toMatchObject({ text: '你好你好', confidence: null })
})

test('when no part has any text, then it says that no speech was found', () => {
  const part = { text: '  ', language: 'en', confidence: 0.9 }
  expect(joined([part], spans.slice(0, 1), 'e')).toMatchObject({
    text: '',
    wordCount: 0,
    confidence: null,
    spokenLanguage: 'auto',
    notice: 'No speech found',
  })
})
