import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { invalidField, Problem } from '@voxscribe/service'
import { type Kept, keep } from './keep.ts'

interface ReceivedForm {
  /** As the sender calls it. */
  fileName: string
  file: Kept
  fields: Record<string, string>
}

/** A form's own lines: borders, headers and the few short fields. */
export const FORM_OVERHEAD_BYTES = 64 * 1024

/**
 * Reads a form of `multipart/form-data` and streams its `file` to the path. Throws 415 for another content type, 400
 * for a form without a file or one that breaks off, and TooLarge.
 */
export async function receiveForm(
  request: IncomingMessage,
  path: string,
  maxBytes: number,
): Promise<ReceivedForm> {
  const form = readerOf(request)
  const fields: Record<string, string> = {}
  let file: Promise<Kept> | undefined
  let fileName = ''
  form.on('field', (name, value) => {
    fields[name] = value
  })
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('file', (name, stream, given) => {
        if (name !== 'file' || file) {
          stream.resume()
          return
        }
        fileName = unescaped(given)
        file = keep(stream, path, { maxBytes })
        file.catch(reject)
      })
      form.on('finish', resolve)
      form.on('error', () => reject(brokenForm()))
      // A connection that breaks ends the request without an end of the form.
      request.on('aborted', () => reject(brokenForm()))
      request.pipe(form)
    })
    if (!file) throw invalidField('file', 'Attach an audio or video file as “file”.')
    return { fileName, file: await file, fields }
  } finally {
    // Who still sends reads our answer only when somebody takes the rest.
    request.unpipe(form)
    request.resume()
  }
}

/** Browsers escape these three in a file's name, and nothing else (WHATWG, “escape a multipart form data name”). */
const unescaped = (name: string) => name.replace(/%(?:22|0D|0A)/g, each => decodeURIComponent(each))

function readerOf(request: IncomingMessage): BusboyInstance {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw new Problem('unsupported_media_type', 'Send the file as multipart/form-data.')
  try {
    const headers = { ...request.headers, 'content-type': type }
    return new Busboy({ headers, limits: { fields: 10, parts: 12, fieldSize: 16 * 1024 } })
  } catch {
    throw brokenForm()
  }
}

const brokenForm = () => invalidField('', 'The form could not be read. Please send the file again.')
