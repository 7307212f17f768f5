import { PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { api, type KeyScope, type TranscriptionDocument as Note } from '@voxscribe/contracts/http'
import { eventText, Problem, refusal, setEventHeaders } from '@voxscribe/service'
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { exchangeKey, keyIn } from '../api-keys.ts'
import { onBehalfOf, type PeerAnswer, type Peers } from '../peers.ts'
import { lines, verbose } from './answer.ts'
import { fromFailure, missingKey, OpenAiError } from './errors.ts'
import { readFields } from './form.ts'

/** Installations have one engine, whatever model a program names. */
const MODEL = { id: 'voxscribe-1', object: 'model', created: 0, owned_by: 'voxscribe' }
/** Of one call that waits for the text. */
const WAIT_SECONDS = 20
/** Between two, and before the note is known. */
const LOOK_AGAIN_MS = 400
const PATIENCE_MINUTES = 10

/** `/v1` as OpenAI's API has it: the programs that speak it need only another base address and a key. */
export function openAiRoutes(peers: Peers): Router {
  const router = Router()

  /** Exchanges the key for an access token; again once that has run out. */
  async function admit(request: Request, response: Response, scope: KeyScope): Promise<void> {
    response.locals.key ??= keyIn(request)
    const secret: string | undefined = response.locals.key
    if (!secret) throw missingKey()
    const admitted = await exchangeKey(peers, secret, scope, request, response)
    if ('refusal' in admitted) throw fromFailure(admitted.status, admitted.refusal)
  }

  /** Makes a call of a long wait, in which the access token may run out. */
  async function callLate<T>(
    request: Request,
    response: Response,
    call: () => Promise<PeerAnswer<T> | undefined>,
  ) {
    const answer = await call()
    if (answer?.status !== 401) return answer
    await admit(request, response, 'write')
    return call()
  }

  /** Passes the form on to ingestion as it comes; a wrong field ends it before there is a note. */
  async function upload(request: Request) {
    // Both readers are there before the first byte is.
    const body = request.pipe(new PassThrough())
    const fields = readFields(request)
    const ended = new AbortController()
    const names = ['content-type', 'content-length', 'idempotency-key', 'accept-language']
    const given = Object.fromEntries(names.map(name => [name, request.get(name)]))
    const headers = { ...onBehalfOf(request), ...given }
    const sent = peers.upload(body, { headers, signal: ended.signal })
    try {
      const answer = await Promise.race([sent, fields.then(() => sent)])
      if (!answer) throw refusal('unavailable')
      if (!answer.body.success) {
        if (answer.retryAfter) request.res?.set('retry-after', answer.retryAfter)
        throw fromFailure(answer.status, answer.body)
      }
      return { fields: await fields, id: answer.body.data.transcription.id }
    } catch (error) {
      fields.catch(() => {})
      ended.abort()
      // A client that is still sending reads the answer only when the rest is taken.
      request.unpipe()
      request.resume()
      throw error
    }
  }

  /** Waits for the text; `onText` gets what is finished. Throws when the note is deleted or its account closed. */
  async function textOf(
    id: string,
    request: Request,
    response: Response,
    onText?: (text: string) => void,
  ): Promise<Note | undefined> {
    let heard = 0
    const end = performance.now() + PATIENCE_MINUTES * 60_000
    let isKnown = false
    while (!response.closed) {
      const wanted = { params: { id }, query: { wait: WAIT_SECONDS, ...(onText && { heard }) } }
      const found = await callLate(request, response, () =>
        peers.call(api.transcription, wanted, onBehalfOf(request), 2_000 * WAIT_SECONDS),
      )
      if (found?.body.success) {
        isKnown = true
        const { transcription } = found.body.data
        const { status, partial } = transcription
        if (status !== 'processing') return transcription
        heard = partial?.seconds ?? heard
        onText?.(partial?.text ?? '')
      }
      // At first its events are on their way.
      const isOver = found && found.status < 500 && (isKnown || found.status !== 404)
      if (isOver && !found.body.success) throw fromFailure(found.status, found.body)
      if (performance.now() > end)
        throw new OpenAiError(
          504,
          'timeout',
          `This takes longer than ${PATIENCE_MINUTES} minutes. The text will be in the history.`,
        )
      await wait(LOOK_AGAIN_MS)
    }
    return undefined
  }

  /** Has the speakers of a note told apart, where its channels do not tell and voices can; returns it as it is then. */
  async function withSpeakers(note: Note, request: Request, response: Response): Promise<Note> {
    if (note.speakers?.length || !note.text) return note
    const params = { id: note.id }
    const end = performance.now() + PATIENCE_MINUTES * 60_000
    let found = await callLate(request, response, () =>
      peers.call(api.findSpeakers, { params, body: {} }, onBehalfOf(request)),
    )
    while (found?.body.success && !response.closed && performance.now() < end) {
      const { transcription } = found.body.data
      if (transcription.speakersProgress === null) return transcription
      await wait(LOOK_AGAIN_MS)
      found = await callLate(request, response, () =>
        peers.call(api.transcription, { params, query: {} }, onBehalfOf(request)),
      )
    }
    // The words are there, as those of one voice.
    return note
  }

  /** Sends the text as it comes. The status is out by then, so that a failure is an event, too. */
  async function stream(
    id: string,
    request: Request,
    response: Response,
    bySpeakers: boolean,
  ): Promise<void> {
    setEventHeaders(response)
    response.flushHeaders()
    const send = (event: string, data: object) => response.write(eventText(event, data))
    let sent = ''
    function sendText(text: string): void {
      // Later text may change what was said: the whole one at the end is right.
      if (!text.startsWith(sent) || text === sent) return void response.write(':\n\n')
      const type = 'transcript.text.delta'
      send(type, { type, delta: text.slice(sent.length) })
      sent = text
    }
    try {
      const note = await textOf(id, request, response, sendText)
      if (!note) return
      if (note.status === 'failed') throw failureOf(note)
      sendText(note.text)
      if (bySpeakers)
        for (const line of lines(await withSpeakers(note, request, response))) send(line.type, line)
      const type = 'transcript.text.done'
      send(type, { type, text: note.text })
    } catch (error) {
      const known = inOpenAi(error)
      send('error', (known ?? new OpenAiError(500, null, 'Something went wrong. Please try again.')).body)
      if (!known) throw error
    } finally {
      response.end()
    }
  }

  router.post('/audio/transcriptions', async (request, response) => {
    await admit(request, response, 'write')
    const { fields, id } = await upload(request)
    if (fields.stream) return stream(id, request, response, fields.response_format === 'diarized_json')
    const note = await textOf(id, request, response)
    if (!note) return
    if (note.status === 'failed') throw failureOf(note)
    const { response_format: format } = fields
    if (format === 'json') return void response.json({ text: note.text })
    if (format === 'verbose_json') return void response.json(verbose(note, fields.timestamp_granularities))
    if (format === 'diarized_json') {
      const diarised = await withSpeakers(note, request, response)
      return void response.json({ text: diarised.text, segments: lines(diarised) })
    }
    if (format === 'text') return void response.type('text/plain').send(`${note.text}\n`)
    const wanted = { params: { id }, query: { format } }
    const file = await peers.file(api.exportTranscription, wanted, onBehalfOf(request))
    if (file === undefined) throw refusal('unavailable')
    response.type('text/plain').send(file)
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
    throw new OpenAiError(
      404,
      'unknown_url',
      `Unknown request URL: ${request.method} ${request.baseUrl}${request.path}`,
    )
  })
  router.use(asOpenAi)
  return router
}

const failureOf = ({ error, failure }: Note) =>
  failure?.code === 'out_of_minutes'
    ? new OpenAiError(429, 'insufficient_quota', error ?? '')
    : failure?.code === 'too_many_repeats'
      ? new OpenAiError(429, failure.code, error ?? '')
      : new OpenAiError(422, failure?.code ?? null, error ?? '', 'file')

function inOpenAi(error: unknown): OpenAiError | undefined {
  if (error instanceof Problem) return new OpenAiError(error.status, error.code, error.message)
  return error instanceof OpenAiError ? error : undefined
}

const asOpenAi: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) return next(error)
  const known = inOpenAi(error)
  if (!known) return next(error)
  const { retryAfterSeconds } = error
  if (retryAfterSeconds !== undefined) response.set('retry-after', String(retryAfterSeconds))
  response.status(known.status).json(known.body)
}
