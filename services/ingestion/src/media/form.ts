import type { IncomingMessage } from 'node:http'
import { finished, type Readable } from 'node:stream'
import { finished as ended } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { invalidField, Problem, refusal } from '@voxscribe/service'
import { type Kept, keep, tooLarge } from './file.ts'

interface ReceivedForm {
  fileName: string
  file: Kept
  fields: Record<string, string>
}

/** Size of a form without its file: boundaries, headers, and at most 1 MB of fields. */
export const FORM_OVERHEAD_BYTES = 1024 * 1024 + 64 * 1024
/** Minimum size of a field besides its name and value. */
const FIELD_OVERHEAD_BYTES = 48
/** Parts that aren't fields cost time as well. */
const PARTS_MAX = Math.ceil(FORM_OVERHEAD_BYTES / FIELD_OVERHEAD_BYTES)

/**
 * Reads `multipart/form-data`, streams its `file` to the path, and closes all streams. Throws 415 for another type or a
 * compressed form; 400 for a broken form, a missing file, or (by name) a field that is too large; Rejected if the file
 * or the form is too large.
 */
export async function receiveForm(
  request: IncomingMessage,
  path: string,
  maxBytes: number,
): Promise<ReceivedForm> {
  const form = readerOf(request)
  const fields: Record<string, string> = {}
  let file: { name: string; stream: Readable; kept: Promise<Kept> } | undefined
  let refused: unknown
  const refuse = (reason: unknown) => {
    refused ??= reason
    form.destroy()
  }
  let fieldBytes = 0
  form.on('field', (name, value) => {
    fieldBytes += FIELD_OVERHEAD_BYTES + name.length + value.length
    if (fieldBytes > FORM_OVERHEAD_BYTES) refuse(invalidField(name, 'form_too_long'))
    else fields[name] = value
  })
  form.on('partsLimit', () => refuse(brokenForm()))
  form.on('file', (name, stream, given) => {
    stream.on('error', () => {})
    if (name !== 'file' || file) return refuse(invalidField(name, 'not_one_file'))
    // The name is missing if a part is a file by its type alone, such as application/octet-stream.
    file = { name: unescaped(given ?? ''), stream, kept: keep(stream, path, { maxBytes }) }
    file.kept.catch(refuse)
  })
  let bytes = 0
  function count(chunk: Buffer) {
    bytes += chunk.length
    if (bytes > maxBytes + FORM_OVERHEAD_BYTES) refuse(tooLarge(bytes))
  }
  // The request itself stays open for the response.
  const unwatch = finished(request, error => error && refuse(brokenForm()))
  try {
    await ended(request.on('data', count).pipe(form))
    if (refused) throw refused
    if (!file) throw invalidField('file', 'file_missing')
    return { fileName: file.name, fields, file: await file.kept }
  } catch (error) {
    throw refused ?? (error instanceof Problem ? error : brokenForm())
  } finally {
    unwatch()
    file?.stream.destroy()
    await file?.kept.catch(() => {})
    // A client that is still sending reads the response only once its body is consumed.
    request.off('data', count).unpipe(form)
    request.resume()
  }
}

/** Browsers escape only these three in a file name (WHATWG, “escape a multipart form data name”). */
const unescaped = (name: string) => name.replace(/%(?:22|0D|0A)/g, each => decodeURIComponent(each))

function readerOf(request: IncomingMessage): BusboyInstance {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding !== 'identity') throw refusal('compressed')
  if (!/^multipart\/form-data\b/i.test(type)) throw refusal('not_a_form')
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { fieldSize: FORM_OVERHEAD_BYTES, parts: PARTS_MAX },
    })
  } catch {
    throw brokenForm()
  }
}

const brokenForm = () => invalidField('', 'form_unreadable')
