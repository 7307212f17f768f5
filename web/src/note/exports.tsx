import type { EXPORT_FORMATS } from '@voxscribe/contracts/http'
import { SHARE_DAYS } from '@voxscribe/contracts/limits'
import type { ComponentProps } from 'react'
import { i18n } from '../language/i18n.ts'
import { download } from '../session/client.ts'
import { Button } from '../ui/action/button.tsx'
import { saveFile } from '../ui/action/save-file.ts'
import { removeToast, toast, toastError } from '../ui/feedback/toast.ts'
import { Select } from '../ui/form/field.tsx'

type ExportFormat = (typeof EXPORT_FORMATS)[number]

const LABELS: Record<ExportFormat, string> = {
  txt: /*i18n*/ 'Text (TXT)',
  docx: /*i18n*/ 'Word (DOCX)',
  pdf: 'PDF',
  md: 'Markdown (MD)',
  srt: /*i18n*/ 'Subtitles (SRT)',
  vtt: /*i18n*/ 'Subtitles (VTT)',
  json: /*i18n*/ 'Data (JSON)',
}

export const ENTRY = 'block min-h-11 w-full rounded-control px-3 py-2 text-start hover:bg-wash'

/** Menu entries for the formats that the server makes. */
export const FormatEntries = ({ onPick }: { onPick(format: ExportFormat): void }) =>
  (Object.keys(LABELS) as ExportFormat[]).map(format => (
    <button key={format} type="button" className={ENTRY} onClick={() => onPick(format)}>
      {i18n.t(LABELS[format])}
    </button>
  ))

/** Milliseconds until a toast says that the file is being prepared, and the longest time that it stays. */
const [SLOW, LONGEST] = [1_000, 600_000]

/** Saves a file that the server makes, under its own name or else the given one. Shows an error if that fails. */
export async function saveExport(...[key, parts, name]: [...Parameters<typeof download>, name: string]) {
  let notice = 0
  const say = () => {
    notice = toast(i18n.t('Preparing the file…'), { duration: LONGEST })
  }
  const slow = setTimeout(say, SLOW)
  try {
    const { content, fileName } = await download(key, parts)
    saveFile(content, fileName ?? name)
  } catch (error) {
    toastError(error, i18n.t('The file couldn’t be downloaded'))
  } finally {
    clearTimeout(slow)
    removeToast(notice)
  }
}

export type Days = (typeof SHARE_DAYS)[number]

/** Chooses how long a link works. */
export const ShareDays = (props: Omit<ComponentProps<typeof Select>, 'label' | 'options'>) => (
  <Select
    {...props}
    label={i18n.t('The link works for')}
    options={SHARE_DAYS.map(days => ({
      id: String(days),
      label: i18n.t('{days, plural, one {# day} other {# days}}', { days }),
    }))}
  />
)

/** Shares a text or link through the system's share sheet; renders nothing if there is none. */
export const ShareWithApps = ({
  variant = 'secondary',
  ...data
}: ShareData & { variant?: 'secondary' | 'quiet' }) =>
  'share' in navigator && (
    <Button size="small" variant={variant} onClick={() => void share(data)}>
      {i18n.t('Share')}
    </Button>
  )

async function share(data: ShareData): Promise<void> {
  try {
    await navigator.share(data)
  } catch (error) {
    // The person closed the sheet or pressed twice.
    if (['AbortError', 'InvalidStateError'].includes((error as Error).name)) return
    toastError(error, i18n.t('The text couldn’t be shared'))
  }
}
