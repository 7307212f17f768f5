import { setTimeout as wait } from 'node:timers/promises'
import { type Listening, listen, type RunningService, runService } from '@voxscribe/service'
import express from 'express'
import { gatewayService } from './service.ts'

/** Longer than the limit for calls without a byte. */
const LONG_MS = 31_000

let service: Listening
let gateway: RunningService
beforeAll(async () => {
  const app = express().use(async (_request, response) => {
    await wait(LONG_MS)
    response.json({ success: true, message: 'OK', data: {} })
  })
  service = await listen(app, 0, '127.0.0.1')
  const url = `http://127.0.0.1:${service.port}`
  gateway = await runService(gatewayService, {
    ...{
      PORT: '0',
      HOST: '127.0.0.1',
      MANAGEMENT_PORT: '0',
      LOG_LEVEL: 'silent',
      WHATSAPP_NUMBER: '+15550783881',
    },
    ...{ AUTH_URL: url, BILLING_URL: url, INGESTION_URL: url, TRANSCRIPTION_URL: url, NOTIFICATION_URL: url },
  })
})
afterAll(async () => {
  await gateway.stop()
  await service.close()
})

test('when an answer takes as long as it may, then it comes; others are given up after half a minute', async () => {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(`${gateway.url}/api${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    })
    return [path, status]
  }
  const calls = [
    call('GET', '/transcriptions/n1?wait=30'),
    call('POST', '/transcriptions/n1/texts', { formId: 'f1' }),
    call('POST', '/transcriptions/n1/gist'),
    call('GET', '/transcriptions'),
  ]
  expect(await Promise.all(calls)).toEqual([
    ['/transcriptions/n1?wait=30', 200],
    ['/transcriptions/n1/texts', 200],
    ['/transcriptions/n1/gist', 200],
    ['/transcriptions', 503],
  ])
})
