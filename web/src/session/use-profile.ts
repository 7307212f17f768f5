import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { User } from '@voxscribe/contracts/http'
import { call } from './client.ts'
import { replaceUser } from './session.ts'

interface Profile {
  user: User
  /** False while billing is unavailable: the plan is the last known one, or the free one. */
  planIsCurrent: boolean
}

/** The time zone sent to the server, accepted or not: it is sent only once. */
let sent: string | undefined

/** Sends this browser's time zone, which dates in chat and mails use. Doesn't reject. */
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

/** The profile, loaded when a screen opens and each time the browser's tab becomes visible. */
export const useProfile = () =>
  useQuery({ ...profileQuery, refetchOnMount: 'always', refetchOnWindowFocus: 'always' })

/** Updates the cached profile after a screen has changed the user on the server. */
export function useProfileChange() {
  const queries = useQueryClient()
  const { queryKey } = profileQuery
  return {
    /** Fetches the profile again. Doesn't reject: the change is made, and old figures merely stay a while longer. */
    reload: async () => {
      await queries.cancelQueries({ queryKey })
      await queries.fetchQuery(profileQuery).catch(() => {})
    },
    /** Adopts the user that the server returned. */
    replace: async (user: User) => {
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, before => ({ planIsCurrent: true, ...before, user }))
      replaceUser(user)
    },
  }
}
