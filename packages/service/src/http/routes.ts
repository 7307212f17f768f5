import type {
  CheckedBodyOf,
  CheckedParamsOf,
  CheckedQueryOf,
  DataOf,
  EndpointShape,
} from '@voxscribe/contracts/http'
import { UI_LANGUAGES, type UiLanguage } from '@voxscribe/languages'
import type { Request, Response } from 'express'
import type { z } from 'zod'
import { readBy } from './bad-input.ts'
import { invalid } from './problem.ts'
import type { AccessClaims, Admission } from './tokens.ts'

/** A call as a handler gets it: checked, and with the caller's identity. */
export interface Call<E extends EndpointShape> {
  body: CheckedBodyOf<E>
  query: CheckedQueryOf<E>
  params: CheckedParamsOf<E>
  /** Id of the signed-in user; empty on open endpoints, and if a link replaces the token. */
  userId: string
  /** The caller's address, as the gateway saw it. */
  ip: string
  claims: E['access'] extends 'user' ? AccessClaims : AccessClaims | undefined
  /** First language of `Accept-Language` that the product has, else English. */
  uiLanguage: UiLanguage
  cookies: string | undefined
  /** The request itself, for a body that is not JSON. */
  request: Request
}

export interface Reply<Data> {
  data: Data
  message?: string
  /** Default: the endpoint's. */
  status?: number
  headers?: Record<string, string>
  /** Writes the answer itself, such as a file. */
  send?(response: Response): Promise<void>
}

export interface Route {
  endpoint: EndpointShape
  answer(request: Request, admit: Admission): Promise<Reply<unknown>>
}

/** Binds an endpoint to its handler. Checks the token, then parameters, query and body; ignores unknown fields. */
export function implement<E extends EndpointShape>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<Reply<DataOf<E>>>,
): Route {
  return {
    endpoint,
    answer: async (request, admit) => {
      const authorization = request.headers.authorization
      const isSignedIn = endpoint.access === 'user' || (endpoint.access === 'link' && authorization)
      const claims = isSignedIn ? await admit(authorization, endpoint.whileBlocked) : undefined
      return handle({
        params: checkedIf(endpoint.params, request.params) as CheckedParamsOf<E>,
        query: checkedIf(endpoint.query, request.query) as CheckedQueryOf<E>,
        body: (endpoint.bodyFile ? undefined : checkedIf(endpoint.body, request.body)) as CheckedBodyOf<E>,
        userId: claims?.userId ?? '',
        claims: claims as Call<E>['claims'],
        ip: request.ip ?? '',
        uiLanguage: (request.acceptsLanguages([...UI_LANGUAGES]) || 'en') as UiLanguage,
        cookies: request.headers.cookie,
        request,
      })
    },
  }
}

const checkedIf = (schema: z.ZodType | undefined, value: unknown): unknown => schema && checked(schema, value)

/** Returns the value as parsed by the schema; throws 400 with every wrong field. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, errors } = readBy(schema, value)
  if (errors) throw invalid(errors)
  return data
}
