import { api, type TranscriptionDocument as Note } from '@voxscribe/contracts/http'
import { HEARTBEAT_SECONDS } from '@voxscribe/contracts/limits'
import { eventText, leftSignal, refusal, sendStream, setEventHeaders } from '@voxscribe/service'
import { dataOf } from '@voxscribe/service/peers'
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { onBehalfOf, type Peers } from '../peers.ts'
import { unknownAddress } from './addresses.ts'
import { diarized, lines, streamUsageOf, usageOf, verbose } from './answer.ts'
import { createCalls, type Sent } from './calls.ts'
import { inOpenAi, lateBody, OpenAiError } from './errors.ts'
import { type Fields, IN_JSON } from './form.ts'

/** An installation has one engine, whichever model a program names. */
const MODEL = { id: 'voxscribe-1', object: 'model', created: 0, owned_by: 'voxscribe' }

/** `/v1`, compatible with OpenAI's API: programs need only another base address and a key. */
export function openAiRoutes(peers: Peers, heartbeatMs = HEARTBEAT_SECONDS * 1000): Router {
  const router = Router()
  const { admit, upload, completed, inEnglish, withSpeakers } = createCalls(peers)

  /** Streams the text as it arrives. The status is already sent, so a failure is sent as an event. */
  async function stream(sent: Sent, request: Request, response: Response): Promise<void> {
    setEventHeaders(response)
    response.flushHeaders()
    const send = (event: string, data: object) => response.write(eventText(event, data))
    let written = ''
    function sendText(text: string): void {
      // A revision of earlier text can't be sent as a delta; the complete text at the end is correct.
      if (!text.startsWith(written) || text === written) return void response.write(':\n\n')
      const type = 'transcript.text.delta'
      send(type, { type, delta: text.slice(written.length) })
      written = text
    }
    try {
      const note = await completed(sent, request, response, sendText)
      if (!note) return
      sendText(note.text)
      if (sent.fields.response_format === 'diarized_json')
        for (const line of lines(await withSpeakers(note, request, response))) send(line.type, line)
      const type = 'transcript.text.done'
      send(type, { type, text: note.text, usage: streamUsageOf(note) })
    } catch (error) {
      send('error', lateBody(error))
      if (!inOpenAi(error)) throw error
    } finally {
      response.end()
    }
  }

  /** Sends a note in the requested format. */
  async function answer(sent: Sent, note: Note, request: Request, response: Response, isTranslated = false) {
    const { response_format: format, timestamp_granularities: granularities } = sent.fields
    const sendJson = (body: object) =>
      response.headersSent ? response.end(JSON.stringify(body)) : response.json(body)
    if (format === 'json')
      return sendJson({ text: note.text, ...(!isTranslated && { usage: usageOf(note) }) })
    if (format === 'verbose_json')
      return sendJson(verbose(note, granularities, isTranslated ? 'translate' : 'transcribe'))
    if (format === 'diarized_json')
      return sendJson(diarized(isTranslated ? note : await withSpeakers(note, request, response)))
    if (format === 'text') return response.type('text/plain').send(`${note.text}\n`)
    const isMade = isTranslated && note.translations.some(({ language }) => language === 'en')
    const wanted = { params: { id: note.id }, query: { format, ...(isMade && { language: 'en' }) } }
    const left = leftSignal(response)
    const file = dataOf(await peers.file(api.exportTranscription, wanted, onBehalfOf(request), left))
    await sendStream(response.type('text/plain'), file)
  }

  /** Runs a call that may take minutes; white space before the JSON keeps proxies from closing the connection. */
  async function patiently(response: Response, { response_format }: Fields, work: () => Promise<unknown>) {
    const beat = () => {
      if (!response.headersSent) response.type('json')
      if (!response.closed) response.write(' ')
    }
    const beats = IN_JSON.includes(response_format) ? setInterval(beat, heartbeatMs) : undefined
    try {
      await work()
    } catch (error) {
      if (!response.headersSent) throw error
      response.end(JSON.stringify(lateBody(error)))
      if (!inOpenAi(error)) throw error
    } finally {
      clearInterval(beats)
    }
  }

  router.post('/audio/transcriptions', async (request, response) => {
    await admit(request, response, 'write')
    const sent = await upload(request)
    if (sent.fields.stream) return stream(sent, request, response)
    await patiently(response, sent.fields, async () => {
      const note = await completed(sent, request, response)
      if (note) await answer(sent, note, request, response)
    })
  })
  router.post('/audio/translations', async (request, response) => {
    await admit(request, response, 'write')
    const here = await peers.ask(api.speech, {}, {})
    if (!here?.textModel) {
      request.resume()
      throw here ? noTranslations() : refusal('unavailable')
    }
    const sent = await upload(request)
    await patiently(response, sent.fields, async () => {
      const note = await completed(sent, request, response)
      if (note) await answer(sent, await inEnglish(note, request, response), request, response, true)
    })
  })
  router.get('/models', async (request, response) => {
    await admit(request, response, 'read')
    response.json({ object: 'list', data: [MODEL] })
  })
  router.get('/models/:id', async (request, response) => {
    await admit(request, response, 'read')
    const { id } = request.params
    if (id !== MODEL.id)
      throw new OpenAiError(404, 'model_not_found', `The model '${id}' does not exist`, 'model')
    response.json(MODEL)
  })

  router.use((request: Request) => {
    throw unknownAddress(request)
  })
  router.use(asOpenAi)
  return router
}

const noTranslations = () =>
  new OpenAiError(
    400,
    'text_model_off',
    'This installation has no text model, which translations need. Use /v1/audio/transcriptions.',
  )

const asOpenAi: ErrorRequestHandler = (error, request, response, next) => {
  if (response.headersSent) return next(error)
  const known = error instanceof URIError ? unknownAddress(request) : inOpenAi(error)
  if (!known) return next(error)
  const { retryAfterSeconds } = error
  if (retryAfterSeconds !== undefined) response.set('retry-after', String(retryAfterSeconds))
  response.status(known.status).json(known.body)
}
