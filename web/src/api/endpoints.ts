import type { Api } from '@voxscribe/contracts/http'

/**
 * Method and path of every call. The contracts' own table carries the schemas, and with them all of zod, which
 * pages that call nothing should not load; the type below keeps this one equal to it.
 */
export const ENDPOINTS = {
  register: ['POST', '/auth/register'],
  login: ['POST', '/auth/login'],
  logout: ['POST', '/auth/logout'],
  refresh: ['POST', '/auth/refresh'],
  forgotPassword: ['POST', '/auth/forgot-password'],
  resetPassword: ['POST', '/auth/reset-password'],
  undoEmail: ['POST', '/auth/undo-email'],
  profile: ['GET', '/users/profile'],
  replaceProfile: ['PUT', '/users/profile'],
  updateProfile: ['POST', '/users/update-profile'],
  countries: ['GET', '/users/countries'],
  languages: ['GET', '/users/languages'],
  createCheckoutSession: ['POST', '/stripe/create-checkout-session'],
  subscriptionStatus: ['GET', '/stripe/subscription-status'],
  subscriptionDetails: ['GET', '/stripe/subscription-details'],
  paymentHistory: ['GET', '/stripe/payment-history'],
  usage: ['GET', '/stripe/usage'],
  verifySession: ['POST', '/stripe/verify-session'],
  cancelSubscription: ['POST', '/stripe/cancel-subscription'],
  reactivateSubscription: ['POST', '/stripe/reactivate-subscription'],
  openPortal: ['POST', '/stripe/portal'],
  transcriptions: ['GET', '/transcriptions'],
  upload: ['POST', '/transcriptions'],
  transcriptionStats: ['GET', '/transcriptions/stats'],
  transcriptionEvents: ['GET', '/transcriptions/events'],
  changeTranscriptions: ['POST', '/transcriptions/bulk'],
  exportTranscriptions: ['POST', '/transcriptions/export'],
  transcription: ['GET', '/transcriptions/:id'],
  editTranscription: ['PATCH', '/transcriptions/:id'],
  transcriptionAudio: ['GET', '/transcriptions/:id/audio'],
  exportTranscription: ['GET', '/transcriptions/:id/export'],
  deleteTranscription: ['DELETE', '/transcriptions/:id'],
  refreshTranscription: ['POST', '/transcriptions/:id/refresh'],
  contact: ['POST', '/contact'],
  config: ['GET', '/config'],
} as const satisfies { [K in keyof Api]: readonly [Api[K]['method'], Api[K]['path']] }
