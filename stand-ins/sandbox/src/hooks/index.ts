import { randomUUID } from 'node:crypto'
import express, { type Response, Router } from 'express'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { type Database, inTransaction, openObjects } from '../database.ts'
import { createFaults } from '../faults.ts'

export interface ReceivedHook {
  object: 'hook'
  id: string
  /** The last part of the address that received it. */
  name: string
  headers: Record<string, string>
  body: string
  /** Milliseconds since 1970. */
  at: number
}

const LATEST = 100
const LARGEST_BYTES = 2 * 1024 * 1024

/** Possible responses to a message, with their names on the page. */
export const HOOK_ANSWERS = {
  '200': '200: taken',
  '301': '301: it has moved',
  '410': '410: it is gone',
  '500': '500: it is broken',
  hang: 'none: it hangs',
}
type HookAnswer = keyof typeof HOOK_ANSWERS
const Settings = z.object({
  answer: z.enum(Object.keys(HOOK_ANSWERS) as HookAnswer[]).default('200'),
  /** Checks signatures with this secret; empty: no check. */
  secret: z
    .string()
    .trim()
    .regex(/^(whsec_[A-Za-z0-9+/=]{4,200})?$/, 'A secret begins with whsec_')
    .default(''),
})
export type HooksPart = ReturnType<typeof createHooks>

/** A person's own server, which receives what the product sends to hooks. */
export function createHooks(db: Database) {
  const { find, list, put, prune } = openObjects<{ hook: ReceivedHook }>(db)
  const settings = createFaults(db, 'hook-settings', Settings)

  const receiver = Router()
  receiver.post('/:name', express.raw({ type: () => true, limit: LARGEST_BYTES }), (request, response) => {
    const { params, body } = request
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    // A missing body is an empty object.
    const text = Buffer.isBuffer(body) ? body.toString('utf8') : ''
    inTransaction(db, () => {
      put({ object: 'hook', id: randomUUID(), name: params.name, headers, body: text, at: Date.now() })
      prune('hook', LATEST)
    })
    answer(response, settings.read().answer)
  })

  return {
    receiver,
    settings,
    /** Newest first. */
    received: () => list('hook', {}, LATEST),
    find: (id: string) => find('hook', id),
  }
}

function answer(response: Response, kind: HookAnswer): void {
  if (kind === '301') response.redirect(301, '/hooks/elsewhere')
  else if (kind !== 'hang')
    response.status(Number(kind)).send(kind === '200' ? 'Thank you' : `This is ${kind}`)
}

/** Whether a message is signed with the secret by the Standard Webhooks rules, regardless of its age. */
export function isSigned({ headers, body }: ReceivedHook, secret: string): boolean {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': at = '',
    'webhook-signature': signatures = '',
  } = headers
  return signatures.split(' ').includes(new Webhook(secret).sign(id, new Date(Number(at) * 1000), body))
}
