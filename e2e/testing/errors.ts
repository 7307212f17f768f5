import { AxiosError } from 'axios'

// Jest serializes errors with their properties. A connection is circular, so the whole run's JSON report would be lost.
for (const part of ['config', 'request', 'response'])
  Object.defineProperty(AxiosError.prototype, part, {
    set(value) {
      Object.defineProperty(this, part, { value, writable: true })
    },
  })
