import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { User } from '@voxscribe/contracts/http'
import { call } from './client.ts'
import { replaceUser } from './session.ts'

interface Profile {
  user: User
  /** False while billing is away: the plan is the last one known, or the free one. */
  planIsCurrent: boolean
}

/** The zone sent to the server, accepted or not: it is sent once. */
let sent: string | undefined

/** Dates in chat and mail use this browser's zone. Does not reject. */
async function sendTimeZone(user: User): Promise<void> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  if (!user.time_zone || user.time_zone === timeZone || sent === timeZone) return
  sent = timeZone
  await call('updateProfile', { body: { time_zone: timeZone } }).catch(() => {})
}

async function fetchProfile(signal: AbortSignal): Promise<Profile> {
  const { data, headers } = await call('profile', { signal })
  replaceUser(data.user)
  await sendTimeZone(data.user)
  return { user: data.user, planIsCurrent: (headers['x-subscription-source'] ?? 'billing') === 'billing' }
}

export const PROFILE = { queryKey: ['profile'] }

const profileQuery = queryOptions({
  ...PROFILE,
  queryFn: ({ signal }) => fetchProfile(signal),
  staleTime: 0,
})

/** The profile, loaded when a screen opens and again whenever the browser's tab becomes visible. */
export const useProfile = () =>
  useQuery({ ...profileQuery, refetchOnMount: 'always', refetchOnWindowFocus: 'always' })

/** For screens that changed the user on the server. */
export function useProfileChange() {
  const queries = useQueryClient()
  const { queryKey } = profileQuery
  return {
    /** Fetches it again. Does not reject: the change has been made, and the old figures merely stay a while longer. */
    reload: async () => {
      await queries.cancelQueries({ queryKey })
      await queries.fetchQuery(profileQuery).catch(() => {})
    },
    /** Takes over the user that the server returned. */
    replace: async (user: User) => {
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, before => ({ planIsCurrent: true, ...before, user }))
      replaceUser(user)
    },
  }
}
