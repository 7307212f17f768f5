import type { EXPORT_FORMATS } from '@voxscribe/contracts/http'
import { download } from '../../session/client.ts'
import { messageOf } from '../../ui/error-message.ts'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.ts'

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_LABELS: Record<ExportFormat, string> = {
  txt: 'Text (TXT)',
  docx: 'Word (DOCX)',
  srt: 'Subtitles (SRT)',
  vtt: 'Subtitles (VTT)',
  json: 'Data (JSON)',
}

/** Saves a file that the server makes, under its name there, else the given one; says why it could not. */
export async function saveExport(...[key, parts, name]: [...Parameters<typeof download>, name: string]) {
  try {
    const { content, fileName } = await download(key, parts)
    saveFile(content, fileName ?? name)
  } catch (error) {
    toast(messageOf(error, 'The file couldn’t be downloaded'), { type: 'error' })
  }
}
