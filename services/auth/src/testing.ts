import { NumberDisowned } from '@voxscribe/contracts/events'
import type { FieldError } from '@voxscribe/contracts/http'
import type { Environment } from '@voxscribe/service'
import { eventually, forAll, startAlone, testKeys } from '@voxscribe/service/testing'
import { createUsers } from './accounts/users.ts'
import { authService } from './service.ts'

export interface Answer {
  status: number
  headers: Headers
  body: {
    success: boolean
    message: string
    code?: string
    errors?: FieldError[]
    // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
    data?: any
  }
}

let people = 0

/** Returns a sign-up form with a new address and number. */
export function newPerson() {
  people += 1
  return {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `ada${people}@example.com`,
    wtp_number: `202556${String(people).padStart(4, '0')}`,
    password: 'correct horse',
    country_id: '840',
  }
}

/** Returns the cookie as a browser would send it back. */
export const cookieOf = (headers: Headers): string => headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** Returns the token in one of our links. */
export const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? ''

/** Runs auth with its own database and bus; the caller plays all other services and clients. */
export async function startAuth(settings: Environment = {}) {
  const env = { JWT_PRIVATE_KEY: testKeys.privateKey, RATE_LIMITS: 'off', ...settings }
  const alone = await startAlone(authService, env)
  const { others, database, stored } = alone

  type More = [body?: unknown, accessToken?: string, headers?: Record<string, string>]
  const send = (method: string, path: string, ...more: More) => sendTo(method, `/api${path}`, ...more)
  async function sendTo(
    method: string,
    path: string,
    body?: unknown,
    accessToken?: string,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${alone.url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more,
        ...(accessToken ? { authorization: `Bearer ${accessToken}` } : {}),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answer['body'],
    }
  }

  const resetsFor = (email: string) =>
    others.sent('PasswordResetRequested').filter(({ data }) => data.email === email)

  return {
    ...alone,
    send,
    /** Calls auth as an operator. */
    async operator(call: string, body: object, headers: Record<string, string> = {}) {
      const response = await fetch(`${alone.managementUrl}/admin/auth/${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ by: 'ada', ...body }),
      })
      return { status: response.status, body: (await response.json()) as Answer['body'] }
    },
    /** The store of a second process. */
    users: createUsers({ outboxModel: (name, schema) => database.model(name, schema) as never }),
    post: (path: string, body: unknown, accessToken?: string, more?: Record<string, string>) =>
      send('POST', path, body, accessToken, more),
    delete: (path: string, accessToken?: string) => send('DELETE', path, undefined, accessToken),
    /** Returns auth's part of an export. */
    exported: async (userId: string) =>
      (await sendTo('GET', `/internal/former-addresses?userId=${userId}`)).body.data,
    /** Calls auth as the gateway does. */
    internal: (path: string, body: unknown) => sendTo('POST', path, body),
    patch: (path: string, body: unknown, accessToken?: string) => send('PATCH', path, body, accessToken),
    put: (path: string, body: unknown, accessToken?: string) => send('PUT', path, body, accessToken),
    erase: (password: string, accessToken: string) =>
      send('DELETE', '/users/account', { password }, accessToken),
    /** Signs in from a browser with this `Cookie` header. */
    login: (email: string, password: string, cookie?: string) =>
      send('POST', '/auth/login', { email, password }, undefined, cookie ? { cookie } : {}),
    get: (path: string, accessToken?: string) => send('GET', path, undefined, accessToken),
    userOf: async (accessToken: string) =>
      (await send('GET', '/users/profile', undefined, accessToken)).body.data.user,
    storedUser: (_id: string) => stored('users').findOne({ _id }),
    setUser: (_id: string, update: object) => stored('users').updateOne({ _id }, update),
    updatesOf: (userId: string) => others.sent('UserUpdated').filter(({ data }) => data.userId === userId),
    /** Publishes that the number's owner denies that this is their account. */
    async disown(_id: string) {
      const user = () => stored('users').findOne({ _id })
      const before = await user()
      const source = { channel: 'whatsapp' as const, address: before?.phone, messageId: 'wamid.NO' }
      await others.publish(NumberDisowned.create({ userId: _id, phone: before?.phone, source }))
      await eventually(async () => (await user())?.phone === undefined)
    },
    resetsFor,
    /** Requests a password reset and returns the token in its mail. */
    async resetToken(email: string): Promise<string> {
      const before = resetsFor(email).length
      await send('POST', '/auth/forgot-password', { email })
      return tokenOf((await eventually(() => resetsFor(email)[before])).data.resetLink)
    },
    reset: (token: string, newPassword: string) =>
      send('POST', '/auth/reset-password', { token, newPassword }),
    /** Signs up a new person and returns the client's response. */
    signedUp: async (person = newPerson()) => {
      const { body, headers } = await send('POST', '/auth/register', person)
      return {
        person,
        cookie: cookieOf(headers),
        user: body.data.user,
        ...(body.data as { accessToken: string; refreshToken: string }),
      }
    },
  }
}
/**
 * Calls both in turn until their fastest responses are within a factor of each other. Noise only makes responses
 * slower, so a real difference remains. Returns whether they came that close.
 */
export async function areAlike(factor: number, one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const quickest = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const measure = async (index: 0 | 1, call: () => Promise<unknown>) => {
    const started = performance.now()
    await call()
    quickest[index] = Math.min(quickest[index]!, performance.now() - started)
  }
  for (let round = 1; round <= 300; round++) {
    await measure(0, one)
    await measure(1, other)
    const ratio = quickest[0]! / quickest[1]!
    if (round >= 10 && ratio < factor && ratio > 1 / factor) return true
  }
  return false
}
export type Auth = Awaited<ReturnType<typeof startAuth>>

/** One instance for all cases of a file. */
export const authForAll = (settings?: Environment): Auth => forAll(() => startAuth(settings))
