import {
  type Mutation,
  type MutationState,
  type MutationStatus,
  onlineManager,
  type QueryClient,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiError } from '../api/errors.ts'
import { lastSignedInId, mustBeSignedIn, useSession } from './session.ts'

const PAUSE_MS = 2_000

export interface Sending<Item, Result> {
  send(item: Item, queue: Queue<Item, Result>): Promise<Result>
  /** Resolves when an item may be sent; default: at once. */
  ready?(item: Item): Promise<unknown>
  /** Whether an item waits for the items before it; default: true. */
  waits?(item: Item): boolean
  /** Tries after a lost connection or from a busy server; the queue waits while offline. Default: no retry. */
  tries?: number
  /** Whether the browser asks before closing the page. */
  isUnsaved?(state: MutationState<Result, Error, Item>): boolean
  onSent?(queries: QueryClient): void
  onFailed?(error: Error, item: Item, queue: Queue<Item, Result>): void
}

/** A queue that sends a person's items in order, on any page. It sends nothing as another person. */
export type Queue<Item, Result> = ReturnType<typeof openQueue<Item, Result>>

/** An item of a queue, with its state. */
export type Queued<Item, Result> = MutationState<Result, Error, Item> & { variables: Item }

function openQueue<Item, Result>(
  queries: QueryClient,
  name: string,
  userId: string,
  sending: Sending<Item, Result>,
) {
  const cache = queries.getMutationCache()
  const mutationKey = [name, userId]
  const { send, ready, waits, tries = 0, isUnsaved, onSent, onFailed } = sending
  const find = (status?: MutationStatus) =>
    cache.findAll({ mutationKey, status }) as unknown as Mutation<Result, Error, Item>[]
  const run = async (mutation: Mutation<Result, Error, Item>, item: Item) =>
    void (await mutation.execute(item).catch(() => {}))
  const options = {
    mutationKey,
    async mutationFn(item: Item) {
      await ready?.(item)
      mustBeSignedIn(userId)
      return send(item, queue)
    },
    networkMode: tries ? ('offlineFirst' as const) : undefined,
    retry: (failures: number, error: Error) =>
      tries > 0 &&
      isRetryable(error) &&
      (failures < tries - 1 || isUploadInProgress(error) || !onlineManager.isOnline()),
    retryDelay: (failures: number) => (onlineManager.isOnline() ? PAUSE_MS * (failures + 1) : 0),
    onSuccess: () => onSent?.(queries),
    onError: (error: Error, item: Item) => onFailed?.(error, item, queue),
    gcTime: Number.POSITIVE_INFINITY,
    meta: { isUnsaved },
  }
  const queue = {
    mutationKey,
    queries,
    find,
    /** Resolves when the item has been sent or has failed. */
    add(item: Item): Promise<void> {
      const scope = waits?.(item) === false ? undefined : { id: mutationKey.join(' ') }
      return run(cache.build<Result, Error, Item, unknown>(queries, { ...options, scope }), item)
    },
    /** Sends failed items again, in order; default: all of them. */
    resend(item?: Item): void {
      for (const mutation of find('error'))
        if (item === undefined || mutation.state.variables === item)
          void run(mutation, mutation.state.variables as Item)
    },
    remove(isGone: (state: Queued<Item, Result>) => boolean): void {
      for (const mutation of find())
        if (isGone(mutation.state as Queued<Item, Result>))
          cache.remove(mutation as unknown as Mutation<unknown>)
    },
  }
  return queue
}

/** Returns the person's queue of this name, and its items, newest last. `sending` must be the same object each time. */
export function useQueued<Item, Result>(name: string, sending: Sending<Item, Result>) {
  const queries = useQueryClient()
  useSession()
  // After a sign-out still the same person's: what was being typed then is added while its field goes.
  const userId = lastSignedInId() ?? ''
  const queue = useMemo(() => openQueue(queries, name, userId, sending), [queries, name, userId, sending])
  const items = useMutationState({
    filters: { mutationKey: queue.mutationKey },
    select: ({ state }) => state as Queued<Item, Result>,
  })
  return { queue, items }
}

/** Another try is uploading the file, or died while doing so: then its claim ends within half a minute of retries. */
const isUploadInProgress = (error: unknown) => Object(error).code === 'upload_under_way'

/** Whether a retry may work soon: no response, a busy server, or our own first try still under way. */
const isRetryable = (error: unknown) =>
  error instanceof ApiError && [0, 409, 502, 503, 504].includes(error.status)
