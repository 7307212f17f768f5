import { useMutation } from '@tanstack/react-query'
import { RegisterBody } from '@voxscribe/contracts/http'
import type { UseFormSetError } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { useSession } from '../session/use-session.ts'
import { showFieldErrors } from '../ui/form-fields.ts'
import { toast } from '../ui/toast.ts'
import { register } from './auth-calls.ts'

/** The form's values. The country's default depends on the loaded list, so it is filled in at the end. */
export const SignupValues = RegisterBody.extend({ country_id: z.string(), confirm: z.string() }).refine(
  ({ password, confirm }) => password === confirm,
  { path: ['confirm'], message: 'Passwords do not match' },
)
export type SignupValues = z.infer<typeof SignupValues>

export const EMPTY_SIGNUP: SignupValues = {
  first_name: '',
  last_name: '',
  email: '',
  country_id: '',
  wtp_number: '',
  password: '',
  confirm: '',
}

export function useSignup(setError: UseFormSetError<SignupValues>) {
  const { signIn } = useSession()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: register,
    onSuccess: session => {
      signIn(session)
      toast('Account created successfully! Welcome to the product.', { type: 'success' })
      navigate('/dashboard', { replace: true })
    },
    onError: error => showFieldErrors(error, Object.keys(EMPTY_SIGNUP) as (keyof SignupValues)[], setError),
  })
}
