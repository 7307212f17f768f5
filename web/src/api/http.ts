import axios from 'axios'
import { i18n } from '../language/i18n.ts'

/** Sends every request of the app. `send` judges the status, so no status throws. */
export const http = axios.create({
  baseURL: '/api',
  timeout: 60_000,
  validateStatus: () => true,
  // Invalid JSON (a proxy's error page) stays text, which doesn't count as success.
  headers: { common: { 'Content-Type': 'application/json' } },
})

// The server uses the page's language for a new account and for its reply to a support request.
http.interceptors.request.use(request => {
  request.headers.set('Accept-Language', i18n.locale)
  return request
})
