import { useQuery } from '@tanstack/react-query'
import type { VerifiedSession } from '@voxscribe/contracts/http'
import { ApiError } from '../api/errors.ts'
import { call } from '../session/client.ts'
import { useProfileChange } from '../session/use-profile.ts'

/** Milliseconds. */
const TIMEOUT = 30_000
const TIMED_OUT = 'Payment verification timed out. Please check your subscription status or contact support.'
const NO_ANSWER = 'Failed to verify payment. Please try again or contact support.'

/** Returns the message for a payment session's status; null when it is paid. */
export function unpaidText(status: string): string | null {
  if (status === 'paid') return null
  if (status === 'unpaid') return 'Payment was not completed. Please try again or contact support.'
  if (status === 'canceled') return 'Payment was canceled. No charges were made to your account.'
  return `Payment status: ${status || 'unknown'}. Please contact support.`
}

/** Returns the message of a failed verification. An unsuccessful 200 is a refusal; status 0 means no answer came. */
export function verificationText(error: unknown): string {
  if (error instanceof VerificationTimeout) return TIMED_OUT
  if (!(error instanceof ApiError) || error.status === 0) return NO_ANSWER
  if (error.status < 300) return error.message || 'Failed to verify payment'
  return `Payment verification failed: ${error.message}`
}

class VerificationTimeout extends Error {}

/** The answer, unless it takes longer than 30 seconds. */
async function verify(sessionId: string): Promise<VerifiedSession> {
  const signal = AbortSignal.timeout(TIMEOUT)
  try {
    return (await call('verifySession', { body: { sessionId }, signal })).data
  } catch (error) {
    throw signal.aborted ? new VerificationTimeout() : error
  }
}

/** Asks once per visit for the outcome of the payment. When it is paid, the profile is fetched again and stored. */
export function useVerification(sessionId: string) {
  const profile = useProfileChange()
  return useQuery({
    queryKey: ['verification', sessionId],
    queryFn: async () => {
      const verified = await verify(sessionId)
      if (verified.session?.paymentStatus === 'paid') void profile.reload()
      return verified
    },
    enabled: sessionId !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}
