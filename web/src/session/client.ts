import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { DataFor, EndpointKey, InputArguments } from '@voxscribe/contracts/calls'
import { ApiError } from '../api/errors.ts'
import { type Answered, type Download, fetchFile, type Parts, send } from '../api/send.ts'
import { freshAccessToken, renewSession } from './renewal.ts'
import { endSession } from './session.ts'

const isSessionOver = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && /token expired|unauthorized/i.test(error.message)

/** Makes a call. If the session has expired, renews it and repeats the call, or ends it. Rejects with an `ApiError`. */
export const call = <K extends EndpointKey>(
  key: K,
  ...[input]: InputArguments<K>
): Promise<Answered<DataFor<K>>> => inSession(accessToken => send(key, { ...input }, accessToken))

/** A query for a call without input, by default under the call's name. `of` selects the part of the response to keep. */
export const queryOf = <K extends EndpointKey, Kept>(
  key: K,
  of: (data: DataFor<K>) => Kept,
  queryKey: QueryKey = [key],
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => of((await call(key, ...([{ signal }] as InputArguments<K>))).data),
  })

export const sendFile = <K extends 'upload' | 'previewText'>(key: K, parts: Parts) =>
  inSession(accessToken => send(key, parts, accessToken))

export const download = (key: Parameters<typeof fetchFile>[0], parts: Parts): Promise<Download> =>
  inSession(accessToken => fetchFile(key, parts, accessToken))

async function inSession<T>(
  request: (accessToken: string | null) => Promise<T>,
  isRenewed = false,
): Promise<T> {
  const accessToken = await freshAccessToken()
  try {
    return await request(accessToken)
  } catch (error) {
    if (!isSessionOver(error)) throw error
    if (isRenewed || !accessToken || !(await renewSession(accessToken))) {
      endSession('expired')
      throw error
    }
  }
  return inSession(request, true)
}
