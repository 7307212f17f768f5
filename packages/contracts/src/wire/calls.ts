import type { z } from 'zod'
import type { Api, BodyOf, Composed, DataOf, QueryOf } from './http.ts'

// Types of each call's input and answer, by its name, for clients.

export type EndpointKey = {
  [K in keyof Api]: Api[K]['access'] extends 'internal' ? never : K
}[keyof Api]

export type DataFor<K extends EndpointKey> = K extends keyof Composed ? Composed[K] : DataOf<Api[K]>
export type BodyFor<K extends EndpointKey> = BodyOf<Api[K]>

type WithBody<K extends EndpointKey> =
  undefined extends BodyFor<K> ? { body?: BodyFor<K> } : { body: BodyFor<K> }
type WithQuery<K extends EndpointKey> =
  undefined extends QueryOf<Api[K]> ? object : { query?: QueryOf<Api[K]> }
type WithParams<K extends EndpointKey> = Api[K] extends {
  params: z.ZodType<unknown, infer Params extends Record<string, string>>
}
  ? { params: Params }
  : object

/** The input of a call: exactly the parts that its endpoint has. */
type InputFor<K extends EndpointKey> = WithBody<K> &
  WithQuery<K> &
  WithParams<K> & { signal?: AbortSignal; ifMatch?: number }
export type InputArguments<K extends EndpointKey> =
  Record<never, never> extends InputFor<K> ? [input?: InputFor<K>] : [input: InputFor<K>]
