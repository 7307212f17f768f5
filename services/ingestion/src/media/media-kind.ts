import { fileTypeFromFile } from 'file-type'

/** Containers of sound and film that go by a name of neither. */
const OTHERS = ['application/ogg', 'application/mxf', 'application/vnd.ms-asf']
/** Notes to be played by an instrument: there is nothing to hear in the file. */
const NOT_RECORDED = ['audio/midi', 'audio/x-midi']

/** Returns a file's kind by its content, whatever its name says; undefined when it is neither audio nor video. */
export async function mediaMimeOf(path: string): Promise<string | undefined> {
  const mime = (await fileTypeFromFile(path))?.mime
  if (!mime || NOT_RECORDED.includes(mime)) return undefined
  return /^(audio|video)\//.test(mime) || OTHERS.includes(mime) ? mime : undefined
}
