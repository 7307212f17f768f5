import type { RateLimits } from '@voxscribe/service'
import type { AuthSettings } from './settings.ts'

/** Creates the limits on how often each thing may be tried. */
export const createLimits = (rateLimits: RateLimits, settings: AuthSettings) => ({
  loginOfAccount: rateLimits('login-account', settings.RATE_LIMIT_LOGIN_ACCOUNT),
  loginFromAddress: rateLimits('login-address', settings.RATE_LIMIT_LOGIN_ADDRESS),
  register: rateLimits('register', settings.RATE_LIMIT_REGISTER),
  forgotOfAccount: rateLimits('forgot-account', settings.RATE_LIMIT_FORGOT_ACCOUNT),
  forgotFromAddress: rateLimits('forgot-address', settings.RATE_LIMIT_FORGOT_ADDRESS),
  password: rateLimits('password', settings.RATE_LIMIT_PASSWORD),
  changePassword: rateLimits('change-password', settings.RATE_LIMIT_CHANGE_PASSWORD),
  updateProfile: rateLimits('update-profile', settings.RATE_LIMIT_PROFILE),
  key: rateLimits('key', settings.RATE_LIMIT_KEY),
  refresh: rateLimits('refresh', settings.RATE_LIMIT_REFRESH),
})
