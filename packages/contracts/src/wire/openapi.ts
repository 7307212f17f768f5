import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import type { EndpointShape } from './endpoint.ts'
import { api, composed, Failure } from './http.ts'

/** OpenAPI 3.1 of everything the gateway serves below /api, made from the contract. */
export function openApiDocument(): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const [name, endpoint] of Object.entries<EndpointShape>(api)) {
    if (endpoint.access === 'internal') continue
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
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key of the profile, `vox_…`, with the scope; docs/api.md shows how programs use it.',
        },
      },
    },
  })
}

function operation(operationId: string, endpoint: EndpointShape): ZodOpenApiOperationObject {
  const { summary, service, access, scope, status = 200 } = endpoint
  const { params, query, body, form, bodyFile, file } = endpoint
  const { [operationId]: data = endpoint.data } = composed as Record<string, z.ZodType>
  const answer = z.object({ success: z.literal(true), message: z.string(), data })
  const content = (type: string, schema: z.ZodType) => ({ content: { [type]: { schema } } })
  const failure = (description: string) => ({ description, ...content('application/json', Failure) })
  const binary = z.string().meta({ format: 'binary' })
  const input = body
    ? content('application/json', body)
    : form
      ? content('multipart/form-data', form)
      : bodyFile && content(bodyFile, binary)
  return {
    operationId,
    summary,
    tags: [service],
    ...(access === 'user' && { security: [{ accessToken: [] }, ...(scope ? [{ apiKey: [scope] }] : [])] }),
    ...((params || query) && {
      requestParams: {
        ...(params && { path: params as z.ZodObject }),
        ...(query && { query: query as z.ZodObject }),
      },
    }),
    ...(input && { requestBody: { required: true, ...input } }),
    responses: {
      [status]: {
        description: 'It worked',
        ...(file ? content(file, binary) : content('application/json', answer)),
      },
      ...((params || query || input) && { 400: failure('Bad input') }),
      ...(access === 'user' && { 401: failure('`Unauthorized` or `Token expired`') }),
      default: failure('Anything else that went wrong'),
    },
  }
}
