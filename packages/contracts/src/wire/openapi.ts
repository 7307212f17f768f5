import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import type { EndpointShape } from './endpoint.ts'
import { api, composed } from './http.ts'

const FieldErrors = z.array(z.object({ field: z.string(), message: z.string() }))
const Failure = z
  .object({
    success: z.literal(false),
    message: z.string(),
    code: z.string(),
    errors: FieldErrors.optional(),
  })
  .meta({
    id: 'Failure',
    description: 'What went wrong, in one sentence; `errors` names the fields of bad input.',
  })

/** OpenAPI 3.1 of everything the gateway serves below /api, made from the contract. */
export function openApiDocument(): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const [name, endpoint] of Object.entries(api) as [string, EndpointShape][]) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) }
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Voxscribe',
      version: '1',
      description: 'WhatsApp voice messages into text.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    paths,
    components: { securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
  })
}

function operation(operationId: string, endpoint: EndpointShape): ZodOpenApiOperationObject {
  const { summary, service, access, status = 200, params, query, body, form, file } = endpoint
  const { [operationId]: data = endpoint.data } = composed as Record<string, z.ZodType>
  const answer = z.object({ success: z.literal(true), message: z.string(), data })
  const failure = (description: string) => ({
    description,
    content: { 'application/json': { schema: Failure } },
  })
  return {
    operationId,
    summary,
    tags: [service],
    ...(access === 'user' ? { security: [{ accessToken: [] }] } : {}),
    ...(params || query
      ? {
          requestParams: {
            ...(params ? { path: params as z.ZodObject } : {}),
            ...(query ? { query: query as z.ZodObject } : {}),
          },
        }
      : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    ...(form
      ? { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } }
      : {}),
    responses: {
      [status]: {
        description: 'It worked',
        content: file
          ? { [file]: { schema: z.string().meta({ format: 'binary' }) } }
          : { 'application/json': { schema: answer } },
      },
      ...(params || query || body || form ? { 400: failure('Bad input') } : {}),
      ...(access === 'user' ? { 401: failure('`Unauthorized` or `Token expired`') } : {}),
      default: failure('Anything else that went wrong'),
    },
  }
}
