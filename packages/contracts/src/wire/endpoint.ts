import type { z } from 'zod'
import type { Failure, KeyScope } from './answers.ts'
import type { Service } from './events.ts'

export interface EndpointShape extends CallShape {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In Express' notation, as `PATHS` has it: `/transcriptions/:id`. */
  path: string
}

/** Path at the service, and at the gateway for all but internal calls. */
export const addressOf = ({ access, path }: EndpointShape): string =>
  access === 'internal' ? path : `/api${path}`

/** A call of the contract, without the method and path that `PATHS` has. */
export interface CallShape {
  /** The service that answers; the gateway proxies the call to it. */
  service: Service
  /**
   * `user`: requires a valid access token. `link`: requires one, or a signed address that the handler checks.
   * `internal`: for services, on their network.
   */
  access: 'open' | 'user' | 'link' | 'internal'
  /** Whether a blocked account may make the call, too. */
  whileBlocked?: true
  /** Scope with which an API key may make the call, too. */
  scope?: KeyScope
  summary: string
  /** Status of a successful answer; default: 200. */
  status?: number
  /** Status of the answer to a repeat, if it differs. */
  repeatStatus?: number
  /** Request headers that change the answer, for the API's description; the handler checks them. */
  headers?: z.ZodObject
  params?: z.ZodObject
  query?: z.ZodType
  /** With `bodyFile`, the handler reads and checks the body. */
  body?: z.ZodType
  /** Maximum size of the body in bytes; default: 100 kB. */
  bodyMax?: number
  /** Schema of a `multipart/form-data` body, which the handler reads as a stream. */
  form?: z.ZodType
  /** Media type of a body that is a file, which the handler reads. */
  bodyFile?: string
  data: z.ZodType
  /** Media type of an answer that is a file, not an envelope. */
  file?: string
  /** Whether that file supports `Range`. */
  ranges?: true
}

/** Shape of every answer; a failure has no `data`. */
export type Answer<Data> = { success: true; message: string; data: Data } | Failure

type Part<E, K extends string> = E extends { [P in K]: infer Schema extends z.ZodType } ? Schema : never

type InputOf<Schema extends z.ZodType> = [Schema] extends [never] ? undefined : z.input<Schema>

/** Input as a caller sends it, before defaults are filled in. */
export type BodyOf<E extends EndpointShape> = InputOf<Part<E, 'body'>>
export type QueryOf<E extends EndpointShape> = InputOf<Part<E, 'query'>>
/** Input as a handler gets it: checked, with defaults filled in. */
export type CheckedBodyOf<E extends EndpointShape> = z.output<Part<E, 'body'>>
export type CheckedQueryOf<E extends EndpointShape> = z.output<Part<E, 'query'>>
export type CheckedParamsOf<E extends EndpointShape> = z.output<Part<E, 'params'>>
export type DataOf<E extends EndpointShape> = z.output<E['data']>
