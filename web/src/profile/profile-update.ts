import { useMutation } from '@tanstack/react-query'
import { call } from '../session/client.ts'
import { useProfileChange } from '../session/use-profile.ts'
import type { ProfileValues } from './profile-change.ts'

/** Saves what changed; the user that comes back becomes the session's. */
export function useProfileUpdate() {
  const profile = useProfileChange()
  return useMutation({
    mutationFn: async (changes: Partial<ProfileValues>) => {
      const { data } = await call('updateProfile', { body: changes })
      await profile.replace(data.user)
      return data.user
    },
  })
}
