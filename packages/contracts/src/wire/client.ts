import type { DataFor, EndpointKey, InputArguments } from './calls.ts'
import type { Api, Failure, KeyScope, TranscriptionDocument } from './http.ts'
import { PATHS } from './paths.ts'

/** Names of the calls that accept an API key. */
export type KeyCall = {
  [K in EndpointKey]: Api[K] extends { scope: KeyScope } ? K : never
}[EndpointKey]

interface Input {
  params?: object
  query?: object
  body?: unknown
  form?: FormData
  /** An upload that is repeated with the same key takes effect once. */
  idempotencyKey?: string | undefined
  /** Version that the change is based on. */
  ifMatch?: number
  signal?: AbortSignal
}

/** A refusal. `code` is stable; the message is for people. */
export class VoxscribeError extends Error {
  override name = 'VoxscribeError'
  readonly status: number
  readonly code: string
  readonly errors: NonNullable<Failure['errors']>
  /** Seconds to wait before the next try, if the answer says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, { message, code, errors = [] }: Partial<Failure>) {
    super(message ?? `The answer was ${response.status}`)
    this.status = response.status
    this.code = code ?? ''
    this.errors = errors
    this.retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined
  }
}

/** Delay before a lost event stream is reopened. */
const STREAM_LOST_MS = 2_000

/**
 * Creates a client for programs with an API key; all calls are typed by the contract. `url`: public address of the
 * installation. Calls reject with a VoxscribeError, or with `fetch`'s error if there is no response.
 */
export function createClient({ url, key }: { url: string; key: string }) {
  /** Makes a call that is answered with a file or a stream. */
  const file = <K extends KeyCall>(name: K, ...[input]: InputArguments<K>) => request(name, { ...input })

  async function request(name: KeyCall, input: Input): Promise<Response> {
    const [method, path] = PATHS[name]
    const { params, query, body, form, idempotencyKey, ifMatch, signal } = input
    const given = Object.entries({ ...query }).flatMap(([part, value]) =>
      value === undefined ? [] : [[part, String(value)]],
    )
    const at = path.replace(/:(\w+)/g, (_, part) => encodeURIComponent(Object(params)[part]))
    const response = await fetch(`${url}/api${at}?${new URLSearchParams(given)}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      },
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
      ...(signal && { signal }),
    })
    if (response.ok) return response
    throw new VoxscribeError(response, Object(await response.json().catch(() => undefined)))
  }

  /** Makes a call and returns the `data` of its answer. */
  const call = async <K extends KeyCall>(name: K, ...[input]: InputArguments<K>): Promise<DataFor<K>> =>
    (await (await request(name, { ...input })).json()).data

  /** Sends a file. Repeated with the same `key`, it takes effect once. */
  async function upload(
    content: Blob | ReadableStream,
    { name, key, ...fields }: { name: string; key?: string; language?: string; title?: string },
  ): Promise<DataFor<'upload'>['transcription']> {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.set(field, value)
    form.set('file', content instanceof Blob ? content : await new Response(content).blob(), name)
    return (await (await request('upload', { form, idempotencyKey: key })).json()).data.transcription
  }

  /** Waits on the event stream until a note is completed or failed. */
  async function ended(id: string, signal?: AbortSignal): Promise<TranscriptionDocument> {
    for (;;) {
      const { body } = await file('transcriptionEvents', signal && { signal })
      // The id is there from the start, so the stream's greeting triggers a first lookup.
      let text = id
      try {
        for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
          text += chunk
          if (!text.includes(id)) continue
          text = ''
          const { transcription } = await call('transcription', { params: { id } })
          if (transcription.status !== 'processing') return transcription
        }
      } catch (error) {
        if (signal?.aborted || error instanceof VoxscribeError) throw error
        await new Promise(resolve => setTimeout(resolve, STREAM_LOST_MS))
      }
    }
  }

  return { call, file, upload, ended }
}
