import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axios from 'axios'
import { createLog, withTrace } from './log.ts'

const folder = mkdtempSync(join(tmpdir(), 'log-'))
const file = join(folder, 'log.jsonl')
const log = createLog('auth', 'info', file)
const lines = () => readFileSync(file, 'utf8')
const last = () => JSON.parse(lines().trim().split('\n').at(-1) ?? '')
afterAll(() => rmSync(folder, { recursive: true }))

test('when a line is written within a trace, then it carries its id', () => {
  withTrace('trace-1', () => log.info({ mediaId: 'm1' }, 'handling'))
  expect(last()).toMatchObject({ service: 'auth', traceId: 'trace-1', mediaId: 'm1', msg: 'handling' })
})

test('when a call to a provider fails, then neither our token nor the sent words are logged', async () => {
  const failure = await axios
    .post(
      'http://127.0.0.1:1/messages',
      { text: { body: 'Dear diary' } },
      { headers: { authorization: 'Bearer s3cret' } },
    )
    .catch(error => error)
  log.error({ err: failure }, 'failed')
  expect(last().err).toMatchObject({ type: 'AxiosError', code: 'ECONNREFUSED' })
  expect(lines()).not.toMatch(/s3cret|Dear diary/)
})

test.each([
  ['E11000 duplicate key error collection: users index: email_1 dup key: { email: "ada@example.com" }'],
  ['550 5.1.1 <ada@example.com>: Recipient address rejected'],
  ['Recipient +15551234567 is not in the allowed list'],
  ['(#131030) 15551234567: not allowed'],
])('when an error says "%s", then the person is not in the log', message => {
  log.warn({ err: new Error('Outer', { cause: new Error(message) }), message, reason: message }, 'refused')
  expect(JSON.stringify(last())).not.toMatch(/ada@|1555/)
})

test('when the path of a request holds the secret of a link, then it is not in the log, and ids are', () => {
  const id = '106e4567-e89b-12d3-a456-426614174000'
  log.info({ path: `/api/shared/${'Ab-_'.repeat(10)}xyz/audio` }, 'answered')
  expect(last().path).toBe('/api/shared/…/audio')
  log.info({ path: `/api/transcriptions/${id}/audio` }, 'answered')
  expect(last().path).toBe(`/api/transcriptions/${id}/audio`)
})

test('when what was thrown holds ids, codes and sizes, then they stay readable', () => {
  const message = 'Graph answered 404 (code 100) for 16777216 bytes of 106e4567-e89b-12d3-a456-426614174000'
  log.warn({ err: new Error(message) }, 'refused')
  expect(last().err.message).toBe(message)
})

test('when a provider sends a page instead of a message, then its first 2,000 characters are logged, and the stack', () => {
  const page = `Bad gateway ada@example.com ${'a'.repeat(60_000)}`
  const error = new Error(page)
  log.error({ err: error, reason: page }, 'failed')
  const { err, reason } = last()
  expect([err.message.length, reason.length]).toEqual(
    [2_000, 2_000].map(length => length - 'ada@example.com'.length + '…@…'.length + 1),
  )
  expect(err.stack).toContain('log.test.ts')
  expect(JSON.stringify(last())).not.toMatch(/ada@|a{2000}/)
})

test('when an error is its own cause, then it is logged', () => {
  const error = new Error('round') as Error & { cause: Error }
  error.cause = error
  log.error({ err: error }, 'failed')
  expect(last().err.cause.message).toBe('round')
})
