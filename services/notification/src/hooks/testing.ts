import { tokenFor } from '@voxscribe/service/testing'
import type { Notification } from '../testing.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The calls of hooks, as their people make them. */
export function hookCalls(app: Pick<Notification, 'url'>) {
  async function call(userId: string, method: Method, path: string, body?: unknown) {
    const response = await fetch(`${app.url}/api${path}`, {
      method,
      headers: { authorization: tokenFor(userId), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: the wire format is what the tests check
    return { status: response.status, body: (await response.json()) as any }
  }
  return {
    call,
    async create(userId: string, wanted: object = {}) {
      const hook = { url: 'https://example.com/hook', events: ['transcription.completed'], ...wanted }
      const { status, body } = await call(userId, 'POST', '/hooks', hook)
      if (status !== 201) throw new Error(`No hook was made: ${status} ${body.message}`)
      return body.data as { hook: { id: string }; secret: string }
    },
  }
}

/** Every call about one hook, with a body that would be taken. */
export const callsTo = (hook: string, delivery: string): [Method, string, unknown?][] => [
  ['PATCH', `/hooks/${hook}`, { enabled: true }],
  ['POST', `/hooks/${hook}/rotate`],
  ['POST', `/hooks/${hook}/test`],
  ['GET', `/hooks/${hook}/deliveries`],
  ['POST', `/hooks/${hook}/deliveries/${delivery}/again`],
  ['DELETE', `/hooks/${hook}`],
]
