import type { EndpointShape } from '@voxscribe/contracts/http'
import axios from 'axios'
import type { Response } from 'express'
import mongoose from 'mongoose'
import { z } from 'zod'
import { eventually, silentLog, testKeys, tokenFor } from '../testing.ts'
import { createHttpApp } from './http.ts'
import { type Listening, listen } from './listen.ts'
import { limitReached, Problem } from './problem.ts'
import { implement, type Reply } from './routes.ts'
import { createTokenCheck } from './tokens.ts'

const echo = {
  service: 'auth',
  method: 'POST',
  path: '/echo',
  access: 'open',
  status: 201,
  summary: 'Says what it heard',
  body: z.object({
    name: z.string('Name is required').min(1, 'Name is required'),
    tags: z.array(z.string()).optional(),
  }),
  data: z.object({ name: z.string() }),
} as const satisfies EndpointShape
const mine = {
  service: 'auth',
  method: 'GET',
  path: '/mine/:id',
  access: 'user',
  summary: 'Says who asks for what',
  params: z.object({ id: z.string() }),
  query: z.object({ page: z.coerce.number('page must be a whole number').default(1) }),
  data: z.object({ userId: z.string(), id: z.string(), page: z.number() }),
} as const satisfies EndpointShape
const broken = {
  service: 'auth',
  method: 'GET',
  path: '/broken/:how',
  access: 'open',
  summary: 'Fails',
  params: z.object({ how: z.string() }),
  data: z.null(),
} as const satisfies EndpointShape

let listening: Listening
/** The response that was started last. */
let begun: Response
/** Does not end as long as nobody reads it. */
const sendLarge: Reply<null>['send'] = response => {
  begun = response
  return new Promise((resolve, reject) =>
    response.sendFile(process.execPath, error => (error ? reject(error) : resolve())),
  )
}
/** Messages of logged errors. */
const logged: string[] = []
const http = () =>
  axios.create({ baseURL: `http://127.0.0.1:${listening.port}/api`, validateStatus: () => true })
const raw = (body: string, type = 'application/json') =>
  http().post('/echo', body, { headers: { 'content-type': type } })

beforeAll(async () => {
  const app = createHttpApp({
    service: 'auth',
    log: Object.assign(Object.create(silentLog), {
      error: ({ err }: { err: Error }) => void logged.push(err.message),
    }),
    trustProxy: 1,
    admit: createTokenCheck(testKeys.publicKey),
    routes: [
      implement(echo, async ({ body }) => ({ data: { name: body.name }, message: 'Heard' })),
      implement(mine, async ({ userId, params, query }) => ({
        data: { userId, id: params.id, page: query.page },
      })),
      implement(broken, async ({ params }) => {
        if (params.how === 'conflict') throw new Problem(409, 'taken', 'It is there already')
        if (params.how === 'limit') throw limitReached('echo', 7)
        if (params.how === 'database')
          throw new mongoose.mongo.MongoNetworkError('connect ECONNREFUSED 10.0.0.1')
        const send: Reply<null>['send'] = async response => {
          response.write('half of')
          throw new Error('broken off')
        }
        if (params.how === 'half') return { data: null, send }
        if (params.how === 'left') return { data: null, send: sendLarge }
        throw new Error('secret detail')
      }),
    ],
  })
  listening = await listen(app, 0, '127.0.0.1')
})
afterAll(() => listening.close())

test('when a call works, then the answer is in the envelope, with the status of the contract', async () => {
  const answer = await http().post('/echo', { name: 'Ada', unknown: 1 })
  expect(answer.status).toBe(201)
  expect(answer.data).toEqual({ success: true, message: 'Heard', data: { name: 'Ada' } })
})

test.each([
  ['an operator', '{"name":{"$gt":""}}', 400, 'name'],
  ['null', '{"name":null}', 400, 'name'],
  ['a wrong element', '{"name":"Ada","tags":["a",1]}', 400, 'tags.1'],
  ['nothing', '', 400, ''],
  ['a bare null', 'null', 400, ''],
  ['a text', '"Ada"', 400, ''],
  ['malformed JSON', '{"name":', 400, ''],
  ['a prototype', '{"__proto__":{"name":"Ada"}}', 400, 'name'],
])('when the body is %s, then the answer names what is wrong', async (_what, body, status, field) => {
  const answer = await raw(body)
  expect(answer.status).toBe(status)
  expect(answer.data).toMatchObject({ success: false, code: 'invalid', errors: [{ field }] })
  expect(answer.data).not.toHaveProperty('data')
})

test('when the body is not JSON by its type, then the answer is 415', async () => {
  expect((await raw('name=Ada', 'application/x-www-form-urlencoded')).status).toBe(415)
  expect((await raw('{"name":"Ada"}', 'text/plain')).status).toBe(415)
})

test('when the body is over 100 kB, then the answer is 413', async () => {
  const answer = await raw(JSON.stringify({ name: 'a'.repeat(1_000_000) }))
  expect(answer.status).toBe(413)
  expect(answer.data).toMatchObject({ success: false, code: 'too_large' })
})

test('when a user is signed in, then the handler gets their id and checked parameters', async () => {
  const headers = { authorization: tokenFor('u1') }
  expect((await http().get('/mine/7?page=3', { headers })).data.data).toEqual({
    userId: 'u1',
    id: '7',
    page: 3,
  })
  const wrong = await http().get('/mine/7?page=x', { headers })
  expect(wrong.data).toMatchObject({ message: 'page must be a whole number', errors: [{ field: 'page' }] })
})

test('when the token is missing, then 401 comes before any look at the input', async () => {
  const answer = await http().get('/mine/7?page=x')
  expect(answer.status).toBe(401)
  expect(answer.headers['www-authenticate']).toBe('Bearer')
  expect(answer.data).toEqual({ success: false, message: 'Unauthorized', code: 'unauthorized' })
})

test('when a rule is broken, then the answer has its code and sentence', async () => {
  const answer = await http().get('/broken/conflict')
  expect(answer.status).toBe(409)
  expect(answer.data).toEqual({ success: false, message: 'It is there already', code: 'taken' })
  expect((await http().get('/broken/limit')).headers['retry-after']).toBe('7')
})

test.each([
  ['unexpected', 'bug', 500, 'server_error', 'Server error'],
  ['of a database that is away', 'database', 503, 'unavailable', expect.not.stringContaining('10.0.0.1')],
])('when an error is %s, then the answer has none of its details', async (_what, how, ...expected) => {
  const { status, data } = await http().get(`/broken/${how}`)
  expect([status, data.code, data.message]).toEqual(expected)
})

test('when an answer breaks off, then its connection does, and the log has why', async () => {
  logged.length = 0
  await expect(http().get('/broken/half')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(logged).toEqual(['broken off'])
})

test('when whoever asked has left, then the log has no error', async () => {
  logged.length = 0
  const answer = await http().get('/broken/left', { responseType: 'stream' })
  answer.data.destroy()
  await eventually(() => begun.destroyed)
  // Express reports it in the next turn.
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(logged).toEqual([])
})

test('when the path or the method is unknown, then the answer is 404 or 405', async () => {
  expect((await http().get('/nothing')).status).toBe(404)
  const answer = await http().delete('/echo')
  expect(answer.status).toBe(405)
  expect(answer.headers.allow).toBe('POST')
  expect((await http().get('/mine/%E0%A4%A')).status).toBe(400)
})

test('when a request has an id, then the answer carries it; a strange one is replaced', async () => {
  const given = await http().get('/nothing', { headers: { 'x-request-id': 'trace-12345678' } })
  expect(given.headers['x-request-id']).toBe('trace-12345678')
  const strange = await http().get('/nothing', { headers: { 'x-request-id': '<script>' } })
  expect(strange.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})
