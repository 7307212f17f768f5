import { useMutation } from '@tanstack/react-query'
import { call } from '../session/client.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { messageOf } from '../ui/error-message.ts'
import { AccountDone, AccountPage, useMailedToken } from './account-page.tsx'

/** Opened from the mail to an old address. Only the button changes anything, because mail scanners open links. */
export default function UndoEmailScreen() {
  const { token, endSession } = useMailedToken()
  const undo = useMutation({
    mutationFn: () => call('undoEmail', { body: { token } }).then(endSession),
  })
  if (undo.isSuccess)
    return (
      <AccountDone title="Email Restored" link="Sign in">
        <p>
          Your old email address is back and everyone is signed out. Check your inbox: we’ve sent you a link
          to choose a new password.
        </p>
      </AccountDone>
    )
  return (
    <AccountPage
      title="Restore Your Email"
      intro="The email address of your Voxscribe account was changed. If it wasn’t you, restore the address that got our email."
    >
      {!token && <Banner>Invalid or expired link</Banner>}
      {undo.isError && <Banner>{messageOf(undo.error, 'An error occurred')}</Banner>}
      <p className="mb-6">
        This signs everyone out of your account and brings your earlier password back. We’ll also email you a
        link to choose a new one.
      </p>
      <Button disabled={!token} busy={undo.isPending} busyLabel="Restoring..." onClick={() => undo.mutate()}>
        Restore My Email
      </Button>
    </AccountPage>
  )
}
