import { fileTypeFromFile } from 'file-type'
import { empty, notMedia } from './rejections.ts'

/** Containers of audio or video whose MIME type says neither. */
const OTHERS = ['application/ogg', 'application/mxf', 'application/vnd.ms-asf']
/** Scores for an instrument, without recorded sound. */
const NOT_RECORDED = ['audio/midi', 'audio/x-midi']

/** Returns a file's MIME type by its content. Throws Rejected for an empty file, or one without audio or video. */
export async function mediaMimeOf(path: string, bytes: number): Promise<string> {
  if (!bytes) throw empty()
  const mime = (await fileTypeFromFile(path))?.mime
  if (!mime || NOT_RECORDED.includes(mime)) throw notMedia(bytes)
  if (!/^(audio|video)\//.test(mime) && !OTHERS.includes(mime)) throw notMedia(bytes)
  return mime
}
