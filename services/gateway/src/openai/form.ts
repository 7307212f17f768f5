import { Busboy } from '@fastify/busboy'
import { AnswerFields } from '@voxscribe/contracts/openai'
import { refusalText } from '@voxscribe/contracts/refusals'
import { refusal } from '@voxscribe/service'
import type { Request } from 'express'
import type { z } from 'zod'
import { OpenAiError } from './errors.ts'

/** Formats in which leading white space is insignificant. */
export const IN_JSON: readonly string[] = ['json', 'verbose_json', 'diarized_json']

/** More than fit into the 1 MB of fields that ingestion accepts. */
const PARTS_MAX = 25_000

const STREAMED: string[] = ['json', 'text', 'diarized_json']
/** Ingestion reads the file and its language; other fields have no effect here. */
export type Fields = z.infer<typeof AnswerFields>

/** Reads a form's fields while it's being forwarded, and skips its file. Rejects with 400 for a wrong field. */
export function readFields(request: Request): Promise<Fields> {
  const { promise, resolve, reject } = Promise.withResolvers<Fields>()
  const { 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding !== 'identity') reject(refusal('compressed'))
  const fields: Record<string, string | string[]> = {}
  const granularities: string[] = []
  try {
    const type = request.headers['content-type'] ?? ''
    const limits = { parts: PARTS_MAX }
    const form = new Busboy({ headers: { ...request.headers, 'content-type': type }, limits })
    form.on('partsLimit', () => reject(unreadable()))
    // If a form ends inside its file, Busboy emits an error on the file as well.
    form.on('file', (_name, file) => file.on('error', () => {}).resume())
    form.on('field', (name, value) => {
      // OpenAI's libraries write the entries of a list as `name[]`; curl and others also as `name` or `name[0]`.
      const field = name.replace(/\[\d*\]$/, '')
      if (!Object.hasOwn(AnswerFields.shape, field)) return
      const isList = field === 'timestamp_granularities'
      if (isList) granularities.push(value)
      fields[field] = isList ? granularities : value
    })
    form.on('error', () => reject(unreadable()))
    form.on('finish', () => {
      const read = AnswerFields.safeParse(fields)
      const [issue] = read.error?.issues ?? []
      if (issue) reject(new OpenAiError(400, 'invalid_value', issue.message, String(issue.path[0])))
      else if (read.data?.stream && !STREAMED.includes(read.data.response_format))
        reject(
          new OpenAiError(
            400,
            'unsupported_value',
            `Only ${new Intl.ListFormat('en').format(STREAMED)} can be streamed`,
            'stream',
          ),
        )
      else resolve(read.data!)
    })
    request.on('close', () => !request.complete && reject(unreadable()))
    request.pipe(form)
  } catch {
    reject(unreadable())
  }
  return promise
}

const unreadable = () => new OpenAiError(400, 'invalid_request', refusalText('not_a_form'), 'file')
