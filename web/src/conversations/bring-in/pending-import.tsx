import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import type { DataFor } from '@voxscribe/contracts/calls'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { ApiError } from '../../api/errors.ts'
import { i18n } from '../../language/i18n.ts'

/** Milliseconds to keep looking for a chat whose response was missed. */
const LOST_IMPORT_MS = 120_000
export const BRINGING_IN = ['bring-in-chat']

/** A chat whose text was sent, and the number of chats before it. */
interface PendingImport {
  name: string
  before: number
}

/** Records in the history entry that a chat is being created: the server continues while the page is reloaded. */
export function usePendingImport() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  /** Whether the page is still open; a person who has gone to another page stays there. */
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const keep = (state: { coming: PendingImport } | null) =>
    isOpen.current && navigate('/conversations', { replace: true, state })
  return {
    isOpen,
    begin(name: string) {
      const list = queries.getQueryData<DataFor<'conversations'>>(['conversations', 1])
      keep({ coming: { name, before: list?.pagination.total ?? 0 } })
    },
    end: () => keep(null),
    /** Without a response, the chat may still be created. */
    failed(error: unknown): never {
      if (error instanceof ApiError && error.status) keep(null)
      throw error
    },
  }
}

/** Returns the chat whose response was missed. */
export function useLostImport(): PendingImport | undefined {
  const { state } = useLocation()
  const isPending = useIsMutating({ mutationKey: BRINGING_IN }) > 0
  return isPending ? undefined : Object(state).coming
}

/** Says that a chat may still appear, until there are more than before or `LOST_IMPORT_MS` has passed. */
export function PendingImportNotice({ name, before, total }: PendingImport & { total: number }) {
  const { end } = usePendingImport()
  const hasArrived = total > before
  const finish = useEffectEvent(end)
  useEffect(() => {
    const timer = setTimeout(finish, hasArrived ? 0 : LOST_IMPORT_MS)
    return () => clearTimeout(timer)
  }, [hasArrived])
  return (
    <p role="status" className="mt-6 text-soft">
      {!hasArrived &&
        i18n.t(
          'The chat “{name}” may still be coming in. If it isn’t here soon, choose the same export again: nothing is sent twice.',
          { name },
        )}
    </p>
  )
}
