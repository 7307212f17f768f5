import type { ServerResponse } from 'node:http'
import { serve } from '@voxscribe/messaging/testing'
import { boundedFetch, REFUSAL_BYTES_MAX } from './bounded-fetch.ts'

let answer: (response: ServerResponse) => void
const { url, stop } = await serve((_request, response) => answer(response))
afterAll(stop)

const fetchIt = boundedFetch(100_000)

/** Sends without end; resolves once the reader is gone. */
const endless = (status: number) =>
  new Promise<void>(gone => {
    answer = response => {
      response.writeHead(status)
      const more = () => {
        while (response.write('x'.repeat(10_000)));
      }
      response.on('drain', more).once('close', gone)
      more()
    }
  })

test('when a refusal never ends, then its first 64 kB are read, and the connection is closed', async () => {
  const gone = endless(500)
  const response = await fetchIt(url)
  expect([response.status, (await response.text()).length]).toEqual([500, REFUSAL_BYTES_MAX])
  await gone
})

test('when an answer is longer than any can be, then reading it fails, and the connection is closed', async () => {
  const gone = endless(200)
  await expect((await fetchIt(url)).text()).rejects.toThrow('too long')
  await gone
})

test.each([
  [200, 100_000],
  [400, 10],
  [204, 0],
])('when an answer with status %i is short enough, then all of it is read', async (status, bytes) => {
  answer = response => response.writeHead(status, { 'x-it': 'y' }).end('x'.repeat(bytes))
  const response = await fetchIt(url)
  expect([response.status, response.headers.get('x-it')]).toEqual([status, 'y'])
  expect((await response.text()).length).toBe(bytes)
})
