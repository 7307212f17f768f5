import { ApiError } from '../api/errors.ts'
import type { BodyFor, DataFor } from '../api/types.ts'
import { call } from '../session/client.ts'

/** A successful answer that lacks the tokens. */
function complete(data: DataFor<'login'> | undefined, otherwise: string): DataFor<'login'> {
  if (data?.user && data.accessToken && data.refreshToken) return data
  throw new ApiError(otherwise, 200)
}

export const register = async (body: BodyFor<'register'>) =>
  complete((await call('register', { body })).data, 'Signup failed')

export const login = async (body: BodyFor<'login'>) =>
  complete((await call('login', { body })).data, 'Login failed')
