import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import type { EndpointShape } from './endpoint.ts'
import { api, composed, Failure } from './http.ts'
import { openAiPaths } from './openai.ts'

/** Generates the OpenAPI 3.1 document of the contract, which the gateway serves below /api, and of `/v1`. */
export function openApiDocument(): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const [name, endpoint] of Object.entries<EndpointShape>(api)) {
    if (endpoint.access === 'internal') continue
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) }
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Voxscribe',
      version: '1',
      description: 'WhatsApp voice messages into text.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    paths: { ...paths, ...openAiPaths },
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
  }
  // Later versions may add fields, which clients generated from this document must accept.
  return createDocument(document, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
}

/** Header of the calls that answer with a file in ranges. */
const Ranges = z.object({ Range: z.string().optional() })

function operation(operationId: string, endpoint: EndpointShape): ZodOpenApiOperationObject {
  const { summary, service, access, scope, status = 200, repeatStatus } = endpoint
  const { params, query, body, form, bodyFile, file, ranges } = endpoint
  const headers = ranges ? Ranges : endpoint.headers
  const { [operationId]: data = endpoint.data } = composed as Record<string, z.ZodType>
  const answer = z.object({ success: z.literal(true), message: z.string(), data })
  const content = (type: string, schema: z.ZodType) => ({ content: { [type]: { schema } } })
  const failure = (description: string) => ({ description, ...content('application/json', Failure) })
  const binary = z.string().meta({ format: 'binary' })
  const success = {
    description: 'It worked',
    ...(file ? content(file, binary) : content('application/json', answer)),
  }
  const input = body
    ? content('application/json', body)
    : form
      ? content('multipart/form-data', form)
      : bodyFile && content(bodyFile, binary)
  return {
    operationId,
    summary,
    tags: [service],
    security:
      access === 'open'
        ? []
        : [...(access === 'link' ? [{}] : []), { accessToken: [] }, ...(scope ? [{ apiKey: [scope] }] : [])],
    ...((params || query || headers) && {
      requestParams: {
        ...(params && { path: params as z.ZodObject }),
        ...(query && { query: query as z.ZodObject }),
        ...(headers && { header: headers }),
      },
    }),
    ...(input && { requestBody: { required: !body?.safeParse(undefined).success, ...input } }),
    responses: {
      [status]: success,
      ...(repeatStatus && { [repeatStatus]: { ...success, description: 'It had worked before' } }),
      ...(ranges && { 206: success, 416: { description: 'No such range' } }),
      ...((params || query || input) && { 400: failure('Bad input') }),
      ...(access !== 'open' && { 401: failure('`Unauthorized` or `Token expired`') }),
      default: failure('Anything else that went wrong'),
    },
  }
}
