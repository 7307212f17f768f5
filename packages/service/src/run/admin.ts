import type { Service } from '@voxscribe/contracts/events'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { z } from 'zod'
import { sendProblem } from '../http/http.ts'
import { invalidField, Problem, refusal } from '../http/problem.ts'
import type { Logger } from '../observe/log.ts'

/** A call for operators. Takes a body, and returns data (about an account, if there is one) without people's words. */
export type AdminCall = (body: unknown) => Promise<{ userId?: string; [field: string]: unknown }>

/** The operator and the reason, which are only logged. */
const Order = z.object({ by: z.string().min(1).max(100), reason: z.string().max(500).optional() })

/** Adds `POST /admin/<service>/<call>` to the management port. Each call is logged. */
export function mountAdmin(
  app: Express,
  service: Service,
  calls: Record<string, AdminCall>,
  log: Logger,
): void {
  const answer: RequestHandler<{ call: string }> = async ({ params, body }, response) => {
    const call = Object.hasOwn(calls, params.call) ? calls[params.call] : undefined
    const order = Order.safeParse(body)
    if (!call) throw refusal('call_unknown')
    if (!order.success) throw invalidField('by', 'operator_missing')
    const data = await call(body)
    log.info({ ...order.data, call: params.call, userId: data.userId }, 'operator call')
    response.json({ success: true, message: 'OK', data })
  }
  const failed: ErrorRequestHandler = (error, _request, response, _next) => {
    if (!(error instanceof Problem)) log.error({ err: error }, 'an operator call failed')
    sendProblem(response, error instanceof Problem ? error : refusal('server_error'))
  }
  app.post(`/admin/${service}/:call`, express.json(), answer)
  app.use(`/admin/${service}`, failed)
}
