import { MediaReceived } from '@voxscribe/contracts/events'
import { listen } from '@voxscribe/service'
import { silentLog } from '@voxscribe/service/testing'
import express from 'express'
import { createTranscriptionCalls } from './transcription-calls.ts'

const event = MediaReceived.create({
  mediaId: 'a2c1f6de-7f2d-4b29-8f0e-0a2f5a3b6c7d',
  userId: 'ada',
  fileName: 'talk.wav',
  objectKey: 'media/m1',
  mime: 'audio/wav',
  bytes: 9,
  sha256: 'a'.repeat(64),
  language: 'en',
  source: { channel: 'web' },
})

test('when a file is stored, then transcription lists it from the event itself', async () => {
  const app = express()
  const listed: unknown[] = []
  app.post('/internal/notes', express.json(), ({ body }, response) => {
    listed.push(MediaReceived.parse(body))
    response.json({ success: true, message: 'OK', data: null })
  })
  const transcription = await listen(app, 0, '127.0.0.1')
  await createTranscriptionCalls(`http://127.0.0.1:${transcription.port}`, silentLog).list(event)
  await transcription.close()
  expect(listed).toEqual([JSON.parse(JSON.stringify(event))])
})

test('when transcription is away, then the upload is answered anyway', async () => {
  await expect(createTranscriptionCalls('http://127.0.0.1:9', silentLog).list(event)).resolves.toBeUndefined()
})
