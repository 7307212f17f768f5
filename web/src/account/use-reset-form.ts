import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { ResetPasswordBody } from '@voxscribe/contracts/http'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiError } from '../api/errors.ts'
import { call } from '../session/client.ts'
import { useSession } from '../session/use-session.ts'
import { showFieldErrors } from '../ui/form-fields.ts'

const ResetValues = ResetPasswordBody.pick({ newPassword: true })
  .extend({ confirm: z.string() })
  .refine(({ newPassword, confirm }) => newPassword === confirm, {
    path: ['confirm'],
    message: 'Passwords do not match',
  })

export function useResetForm(token: string) {
  const { status, signOut } = useSession()
  const form = useForm({
    resolver: zodResolver(ResetValues),
    defaultValues: { newPassword: '', confirm: '' },
  })
  const reset = useMutation({
    mutationFn: async (newPassword: string) => {
      if (!token) throw new ApiError('Invalid reset token', 0)
      await call('resetPassword', { body: { token, newPassword } })
      // The server has ended every session of the account; this browser's goes with them.
      if (status === 'signed-in') await signOut()
    },
    onError: error => showFieldErrors(error, ['newPassword'], form.setError),
  })
  return { form, reset, submit: form.handleSubmit(({ newPassword }) => reset.mutate(newPassword)) }
}
