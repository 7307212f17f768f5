import type { EXPORT_FORMATS } from '@voxscribe/contracts/http'

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_LABELS: Record<ExportFormat, string> = {
  txt: 'Text (TXT)',
  docx: 'Word (DOCX)',
  srt: 'Subtitles (SRT)',
  vtt: 'Subtitles (VTT)',
  json: 'Data (JSON)',
}
