import { Busboy } from '@fastify/busboy'
import type { Request } from 'express'
import { z } from 'zod'
import { OpenAiError } from './errors.ts'

const RESPONSE_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const

/** Fields besides the file, which ingestion reads. `model`, `prompt` and `temperature` change nothing here. */
const Fields = z.object({
  response_format: z
    .enum(RESPONSE_FORMATS, `response_format must be one of ${RESPONSE_FORMATS.join(', ')}`)
    .default('json'),
  timestamp_granularities: z
    .array(z.enum(['word', 'segment'], 'timestamp_granularities must be word or segment'))
    .default(['segment']),
  stream: z.literal('false', 'Streaming is not supported: leave “stream” out').optional(),
})
export type Fields = z.infer<typeof Fields>

/** Reads the fields of a form while it is passed on; its file is dropped. Rejects with 400 for a wrong field. */
export function readFields(request: Request): Promise<Fields> {
  const { promise, resolve, reject } = Promise.withResolvers<Fields>()
  // Without a prototype: a field may be called `constructor[]`.
  const fields: Record<string, string | string[]> = Object.create(null)
  try {
    const type = request.headers['content-type'] ?? ''
    const limits = { fields: 20, fieldSize: 16 * 1024 }
    const form = new Busboy({ headers: { ...request.headers, 'content-type': type }, limits })
    form.on('file', (_name, stream) => stream.resume())
    form.on('field', (name, value) => {
      const list = name.endsWith('[]') ? name.slice(0, -2) : undefined
      if (list === undefined) fields[name] = value
      else fields[list] = [fields[list] ?? [], value].flat()
    })
    form.on('error', () => reject(unreadable()))
    form.on('finish', () => {
      const read = Fields.safeParse(fields)
      const [issue] = read.error?.issues ?? []
      if (issue) reject(new OpenAiError(400, 'invalid_value', issue.message, String(issue.path[0])))
      else resolve(read.data!)
    })
    request.on('close', () => !request.complete && reject(unreadable()))
    request.pipe(form)
  } catch {
    reject(unreadable())
  }
  return promise
}

const unreadable = () =>
  new OpenAiError(400, 'invalid_request', 'Send the file as multipart/form-data.', 'file')
