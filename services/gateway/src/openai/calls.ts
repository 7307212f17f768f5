import { PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import {
  api,
  type KeyScope,
  type TranscriptionDocument as Note,
  ONCE_HEADER,
} from '@voxscribe/contracts/http'
import { joinedText } from '@voxscribe/contracts/paragraphs'
import { refusal } from '@voxscribe/service'
import type { PeerAnswer } from '@voxscribe/service/peers'
import type { Request, Response } from 'express'
import { exchangeKey } from '../api-keys.ts'
import { programSecretIn } from '../oauth.ts'
import { onBehalfOf, type Peers } from '../peers.ts'
import { failureOf, fromFailure, missingKey, OpenAiError } from './errors.ts'
import { type Fields, readFields } from './form.ts'

const WAIT_SECONDS = 20
/** Between two polls, and until the note is known. */
const POLL_EVERY_MS = 400
const TIMEOUT_MINUTES = 10
const TIMEOUT_MS = TIMEOUT_MINUTES * 60_000

export interface Sent {
  id: string
  /** Whether the same file was uploaded before. */
  isRepeat: boolean
  fields: Fields
}

/** The calls to services that `/v1` makes on behalf of a program. */
export function createCalls(peers: Peers) {
  /** Exchanges the key for an access token; called again once that has expired. */
  async function admit(request: Request, response: Response, scope: KeyScope): Promise<void> {
    response.locals.key ??= programSecretIn(request)
    const secret: string | undefined = response.locals.key
    if (!secret) throw missingKey()
    const admitted = await exchangeKey(peers, secret, { scope, door: 'v1' }, request, response)
    if ('refusal' in admitted) throw fromFailure(admitted.status, admitted.refusal)
  }

  /** Makes a call after a long wait, in which the access token may have expired. */
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

  /** Streams the form to ingestion; a wrong field aborts it before there is a note. */
  async function upload(request: Request) {
    // Both readers are attached before the first byte.
    const body = request.pipe(new PassThrough())
    const fields = readFields(request)
    const ended = new AbortController()
    const names = ['content-type', 'content-length', 'idempotency-key', 'accept-language']
    const given = Object.fromEntries(names.map(name => [name, request.get(name)]))
    // A client that timed out uploads its file again, and gets the note of its first try.
    const headers = { ...onBehalfOf(request), ...given, [ONCE_HEADER]: 'file' }
    const sent = peers.upload(body, { headers, signal: ended.signal })
    try {
      const answer = await Promise.race([sent, fields.then(() => sent)])
      if (!answer) throw refusal('unavailable')
      if (!answer.body.success) {
        if (answer.retryAfter) request.res?.set('retry-after', answer.retryAfter)
        throw fromFailure(answer.status, answer.body)
      }
      const isRepeat = answer.status === 200
      return { fields: await fields, id: answer.body.data.transcription.id, isRepeat }
    } catch (error) {
      fields.catch(() => {})
      ended.abort()
      // A client that is still sending reads the response only once its body is consumed.
      request.unpipe()
      request.resume()
      throw error
    }
  }

  /** Waits for the text; `onText` gets finished parts. Throws if the note is deleted or its account closed. */
  async function textOf(
    id: string,
    request: Request,
    response: Response,
    onText?: (text: string) => void,
  ): Promise<Note | undefined> {
    let heard = 0
    const end = performance.now() + TIMEOUT_MS
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
      // At first, 404 means that the note's events are still in transit.
      const isOver = found && found.status < 500 && (isKnown || found.status !== 404)
      if (isOver && !found.body.success) throw fromFailure(found.status, found.body)
      if (performance.now() > end)
        throw new OpenAiError(
          504,
          'timeout',
          `This takes longer than ${TIMEOUT_MINUTES} minutes. The text will be in the history.`,
        )
      await wait(POLL_EVERY_MS)
    }
    return undefined
  }

  /** Waits for a file's text. Refreshes a repeated file whose note has failed since. Throws if it fails again. */
  async function completed(
    { id, isRepeat }: Omit<Sent, 'fields'>,
    request: Request,
    response: Response,
    onText?: (text: string) => void,
  ): Promise<Note | undefined> {
    const note = await textOf(id, request, response, onText)
    if (note?.status !== 'failed') return note
    if (!isRepeat) throw failureOf(note)
    const again = { params: { id }, body: undefined }
    const begun = await callLate(request, response, () =>
      peers.call(api.refreshTranscription, again, onBehalfOf(request)),
    )
    if (!begun?.body.success) throw failureOf(note)
    return completed({ id, isRepeat: false }, request, response, onText)
  }

  /** Returns a note in English: unchanged if it was spoken in English, otherwise translated by the text model. */
  async function inEnglish(note: Note, request: Request, response: Response): Promise<Note> {
    if (!note.text || note.language === 'en') return note
    const wanted = { params: { id: note.id }, body: { language: 'en' } }
    const made = await callLate(request, response, () =>
      peers.call(api.translate, wanted, onBehalfOf(request), TIMEOUT_MS),
    )
    if (!made) throw refusal('unavailable')
    if (!made.body.success) throw fromFailure(made.status, made.body)
    const { segments, translations } = made.body.data.transcription
    const texts = new Map(
      translations.find(({ language }) => language === 'en')?.segments.map(({ id, text }) => [id, text]),
    )
    // The times of words apply to the spoken words only.
    const translated = segments.map(({ words: _, ...segment }) => ({
      ...segment,
      text: texts.get(segment.id) ?? segment.text,
    }))
    const text = joinedText(translated, 'en')
    return { ...note, language: 'en', segments: translated, text, translations }
  }

  /** Separates a note's speakers by voice if its channels haven't and an engine can. Returns the updated note. */
  async function withSpeakers(note: Note, request: Request, response: Response): Promise<Note> {
    if (note.speakers?.length || !note.text) return note
    const params = { id: note.id }
    const end = performance.now() + TIMEOUT_MS
    let found = await callLate(request, response, () =>
      peers.call(api.findSpeakers, { params, body: {} }, onBehalfOf(request)),
    )
    while (found?.body.success && !response.closed && performance.now() < end) {
      const { transcription } = found.body.data
      if (transcription.speakersProgress === null) return transcription
      await wait(POLL_EVERY_MS)
      found = await callLate(request, response, () =>
        peers.call(api.transcription, { params, query: {} }, onBehalfOf(request)),
      )
    }
    // The text is complete, but not separated by speaker.
    return note
  }

  return { admit, upload, completed, inEnglish, withSpeakers }
}
