import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../session/client.ts'
import { useProfileChange } from '../session/use-profile.ts'

const CHANGES = {
  cancelSubscription:
    'Your subscription has been scheduled for cancellation at the end of the current billing period. ' +
    'You will continue to have access to Pro features until then.',
  reactivateSubscription: 'Your subscription has been reactivated successfully!',
}

interface Tell {
  done(message: string): void
  failed(error: unknown): void
}

/**
 * Cancels at the end of the period, or undoes that; then fetches the profile and everything about the plan again, also
 * after a failure: another tab may have been first.
 */
export function useSubscriptionChange(change: keyof typeof CHANGES, { done, failed }: Tell) {
  const queries = useQueryClient()
  const profile = useProfileChange()
  return useMutation({
    mutationFn: () => call(change),
    onSuccess: () => done(CHANGES[change]),
    onError: failed,
    onSettled: () =>
      Promise.all([profile.reload(), queries.invalidateQueries({ queryKey: ['subscription'] })]),
  })
}
