import type { EndpointKey, InputFor as InputOf } from '@voxscribe/contracts/calls'

export type { BodyFor, DataFor, EndpointKey } from '@voxscribe/contracts/calls'

/** The input of a call. `isSlow`: its answer may take minutes. */
export type InputFor<K extends EndpointKey> = InputOf<K> & { isSlow?: boolean }
export type InputArguments<K extends EndpointKey> =
  Record<never, never> extends InputFor<K> ? [input?: InputFor<K>] : [input: InputFor<K>]

export interface Answered<Data> {
  data: Data
  message: string
  headers: Record<string, unknown>
}
