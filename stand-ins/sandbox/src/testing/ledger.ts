import express, { type NextFunction, type Request, type Response, Router } from 'express'

/** A call to a simulated API. The path has no query. */
export interface Call {
  method: string
  path: string
  headers: Request['headers']
  /** JSON, a form, or the fields of a multipart body. */
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is what the test looks at
  body: any
  /** The response's JSON; null until there is one. */
  // biome-ignore lint/suspicious/noExplicitAny: the same
  answer: any
}

/** A test's response, which replaces the simulation's; `next` leaves the call to the simulation. */
export type Answer = (response: Response, request: Request, next: NextFunction) => unknown

/** Records calls, and sets responses for tests. In memory: for tests in the same process. */
export function createLedger() {
  const calls: Call[] = []
  const scripts = new Map<string, Answer[]>()
  const record = Router()
  record.use(express.json({ limit: '1mb' }), express.urlencoded({ extended: true, limit: '1mb' }))
  record.use((request, response, next) => {
    const { method, path, headers } = request
    const call: Call = { method, path, headers, body: request.body, answer: null }
    calls.push(call)
    const send = response.json.bind(response)
    response.json = body => {
      // Only the simulation reads multipart bodies.
      Object.assign(call, { body: request.body, answer: body })
      return send(body)
    }
    const answers = scripts.get(`${method} ${path}`) ?? []
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer) answer(response, request, next)
    else next()
  })
  return {
    record,
    calls,
    callsTo: (path: string) => calls.filter(call => call.path === path),
    /** Sets the responses of a method and path, such as `GET /v1/prices`, one after another; the last one stays. */
    script: (methodAndPath: string, ...answers: Answer[]) => void scripts.set(methodAndPath, answers),
  }
}
