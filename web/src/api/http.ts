import axios from 'axios'
import { i18n } from '../language/i18n.ts'

/** Every request of the app goes through here. Statuses are judged by `send`, so none of them throws. */
export const http = axios.create({
  baseURL: '/api',
  timeout: 60_000,
  validateStatus: () => true,
  // Bad JSON (a proxy's error page) stays text, which does not count as success.
  headers: { common: { 'Content-Type': 'application/json' } },
})

// A new account and the answer to a message to support are in the language of the page.
http.interceptors.request.use(request => {
  request.headers.set('Accept-Language', i18n.locale)
  return request
})
