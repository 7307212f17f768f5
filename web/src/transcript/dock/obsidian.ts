import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { i18n } from '../../language/i18n.ts'
import { download } from '../../session/client.ts'
import { toastError } from '../../ui/feedback/toast-error.ts'

/** Characters of a text in an address; longer ones go by the clipboard. */
const IN_ADDRESS = 8_000
/** Obsidian takes none of these in the name of a note. */
const RESERVED = /[\\/:*?"<>|#^[\]]+/g

/** Opens the note's Markdown as a new note of Obsidian, an app that takes addresses of its own. */
export async function openInObsidian({ id, title }: TranscriptionDocument): Promise<void> {
  try {
    const { content } = await download('exportTranscription', { params: { id }, query: { format: 'md' } })
    const text = await content.text()
    const name = title.replace(RESERVED, ' ').trim()
    const isLong = text.length > IN_ADDRESS
    if (isLong) await navigator.clipboard.writeText(text)
    const parts = { name, ...(isLong ? { clipboard: 'true' } : { content: text }) }
    // It reads a plus sign as one.
    location.assign(`obsidian://new?${new URLSearchParams(parts)}`.replaceAll('+', '%20'))
  } catch (error) {
    toastError(error, i18n.t('The file couldn’t be downloaded'))
  }
}
