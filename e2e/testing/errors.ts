import { AxiosError } from 'axios'

// Jest reports an error with what it holds, and a connection holds itself: as JSON, the whole run would have no report.
for (const part of ['config', 'request', 'response'])
  Object.defineProperty(AxiosError.prototype, part, {
    set(value) {
      Object.defineProperty(this, part, { value, writable: true })
    },
  })
