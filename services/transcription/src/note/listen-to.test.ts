import type { PartSpeech } from '../engines/engine.ts'
import { joined } from './listen-to.ts'

const engine = { name: 'local', model: 'm', instead: [] }
const part = (text: string, seconds: number, language: string, confidence: number | null): PartSpeech => ({
  segments: [{ from: 0, to: seconds, text, confidence }],
  language,
  timesExact: true,
})

test('when parts are joined, then the language is the one spoken longest and confidence is weighted by time', () => {
  const parts = [part('hola ', 10, 'es', 0.2), part(' good morning', 30, 'en', 0.6)]
  expect(joined(parts, engine)).toMatchObject({
    text: 'hola good morning',
    segments: [
      { id: '1', from: 0, to: 10, text: 'hola ' },
      { id: '2', from: 0, to: 30, text: ' good morning' },
    ],
    timesExact: true,
    wordCount: 3,
    spokenLanguage: 'en',
    confidence: 0.5,
    notices: [],
  })
})

test('when a language is written without spaces, then parts are joined without one', () => {
  const chinese = part('你好', 2, 'zh', null)
  expect(joined([chinese, chinese], engine)).toMatchObject({ text: '你好你好', confidence: null })
})

test('when no part has any text, then it says that no speech was found', () => {
  expect(joined([part('  ', 3, 'en', 0.9)], engine)).toMatchObject({
    text: '',
    segments: [],
    wordCount: 0,
    confidence: null,
    spokenLanguage: 'en',
    notices: [{ code: 'no_speech' }],
  })
})
