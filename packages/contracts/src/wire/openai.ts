import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'

/** Answer formats of `/v1`. */
const RESPONSE_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const

/** The form fields that determine an answer of `/v1`. */
export const AnswerFields = z.object({
  response_format: z
    .enum(RESPONSE_FORMATS, `response_format must be one of ${RESPONSE_FORMATS.join(', ')}`)
    .default('json'),
  timestamp_granularities: z
    .array(z.enum(['word', 'segment'], 'timestamp_granularities must be word or segment'))
    .default(['segment']),
  stream: z
    .enum(['true', 'false'], 'stream must be true or false')
    .default('false')
    .transform(value => value === 'true'),
})

const AudioForm = AnswerFields.extend({
  file: z.string().meta({ format: 'binary' }),
  model: z.string().optional(),
  language: z.string().optional(),
})
const Text = z.object({ text: z.string() })
const Model = z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })
const OpenAiFailure = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
})

const json = (schema: z.ZodType) => ({ 'application/json': { schema } })
const text = (type: string) => ({ [type]: { schema: z.string() } })

const operation = (
  operationId: string,
  summary: string,
  scope: 'read' | 'write',
  content: object,
): ZodOpenApiOperationObject => ({
  operationId,
  summary,
  tags: ['openai'],
  security: [{ apiKey: [scope] }],
  responses: {
    200: { description: 'It worked', content },
    default: { description: 'Anything else, in OpenAI’s shape', content: json(OpenAiFailure) },
  },
})

const ofAudio = (operationId: string, summary: string) => ({
  ...operation(operationId, summary, 'write', {
    ...json(Text),
    ...text('text/plain'),
    ...text('text/event-stream'),
  }),
  requestBody: { required: true, content: { 'multipart/form-data': { schema: AudioForm } } },
})

/** The calls of `/v1`, as in OpenAI's API. */
const CALLS: ZodOpenApiPathsObject = {
  '/audio/transcriptions': {
    post: ofAudio('createTranscription', 'Transcribe a file as OpenAI’s API does'),
  },
  '/audio/translations': {
    post: ofAudio('createTranslation', 'The text of a file in English, as in OpenAI’s API'),
  },
  '/models': {
    get: operation(
      'listModels',
      'The models: one, this installation’s',
      'read',
      json(z.object({ object: z.literal('list'), data: z.array(Model) })),
    ),
  },
  '/models/{id}': {
    get: {
      ...operation('retrieveModel', 'The model of this installation', 'read', json(Model)),
      requestParams: { path: z.object({ id: z.string() }) },
    },
  },
}

/** The calls of `/v1`, each with its own base address. */
export const openAiPaths: ZodOpenApiPathsObject = Object.fromEntries(
  Object.entries(CALLS).map(([path, calls]) => [path, { servers: [{ url: '/v1' }], ...calls }]),
)
