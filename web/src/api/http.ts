import axios from 'axios'

/** Every request of the app goes through here. Statuses are judged by `send`, so none of them throws. */
export const http = axios.create({
  baseURL: '/api',
  timeout: 60_000,
  validateStatus: () => true,
  // Bad JSON (a proxy's error page) stays text, which does not count as success.
  headers: { common: { 'Content-Type': 'application/json' } },
})
