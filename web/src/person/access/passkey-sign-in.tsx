import { useMutation } from '@tanstack/react-query'
import type { DataFor } from '@voxscribe/contracts/calls'
import { useEffect, useRef } from 'react'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { Button } from '../../ui/action/button.tsx'
import { messageOf } from '../../ui/feedback/toast.ts'
import { FormMessage } from '../../ui/form/form.tsx'
import { passkeys } from '../passkeys.ts'
import { sessionIn } from './account-page.tsx'

/** Part of a challenge's life after which the autofill gets another one. */
const STALE_AFTER = 0.8

/** Signs in by a passkey: by the autofill of the email field while the page is open, or by a button. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn(session: DataFor<'login'>): void }) {
  const offer = useRef<() => void>(null)
  const isAsked = useRef(false)
  const attempt = useMutation({
    mutationFn: async (chosen?: object) => {
      isAsked.current = true
      const response = chosen ?? (await (await passkeys()).use((await askOptions()).options))
      return sessionIn(
        await call('passkeySignIn', { body: { response: response as never } }),
        i18n.t('Login failed'),
      )
    },
    onSuccess: onSignedIn,
    onError: () => {
      isAsked.current = false
      // The button has ended the autofill's own request.
      offer.current?.()
    },
  })
  const { mutate } = attempt
  useEffect(() => {
    let isOpen = true
    let stale: ReturnType<typeof setTimeout> | undefined
    async function offerAutofill() {
      clearTimeout(stale)
      const { canAutofill, use } = await passkeys()
      if (!(await canAutofill())) return
      const { options } = await askOptions()
      // The browser answers one request at a time, and the button's own goes first.
      if (!isOpen || isAsked.current) return
      stale = setTimeout(offer.current!, Number(options.timeout) * STALE_AFTER)
      mutate(await use(options, true))
    }
    // What ends without a choice was replaced, or the person has left.
    offer.current = () => void offerAutofill().catch(() => {})
    offer.current()
    return () => {
      isOpen = false
      clearTimeout(stale)
      void passkeys().then(({ stop }) => stop())
    }
  }, [mutate])
  return (
    <div className="mt-8 grid gap-5 border-line border-t pt-6">
      {attempt.error && (
        <FormMessage of={attempt.error}>
          {messageOf(
            attempt.error,
            i18n.t('You weren’t signed in by a passkey. Try again, or sign in another way.'),
          )}
        </FormMessage>
      )}
      <Button
        variant="secondary"
        className="w-full"
        busy={attempt.isPending}
        onClick={() => mutate(undefined)}
      >
        {i18n.t('Sign in with a passkey')}
      </Button>
    </div>
  )
}

const askOptions = async () => (await call('passkeySignInOptions')).data
