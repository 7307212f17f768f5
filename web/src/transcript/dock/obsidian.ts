import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { i18n } from '../../language/i18n.ts'
import { download } from '../../session/client.ts'
import { copyBlocked, copyText } from '../../ui/feedback/copy-button.tsx'
import { toastError } from '../../ui/feedback/toast.ts'

/** Characters of a text in an address; longer ones go by the clipboard. */
const IN_ADDRESS = 8_000
/** Obsidian takes none of these in the name of a note. */
const RESERVED = /[\\/:*?"<>|#^[\]]+/g

/** Returns the address that makes a note in Obsidian, of the clipboard's text when the text is too long for an address. */
export function addressIn(title: string, text: string): string {
  const name = title.replace(RESERVED, ' ').replace(/\s+/g, ' ').trim()
  const parts = { name, ...(text.length > IN_ADDRESS ? { clipboard: 'true' } : { content: text }) }
  // Obsidian reads a plus sign as one.
  return `obsidian://new?${new URLSearchParams(parts)}`.replaceAll('+', '%20')
}

/** Opens the note's Markdown as a new note of Obsidian, an app that takes addresses of its own. */
export async function openInObsidian({ id, title }: TranscriptionDocument): Promise<void> {
  try {
    const { content } = await download('exportTranscription', { params: { id }, query: { format: 'md' } })
    const text = await content.text()
    if (text.length > IN_ADDRESS && !(await copyText(text))) throw new Error(copyBlocked())
    location.assign(addressIn(title, text))
  } catch (error) {
    toastError(error, i18n.t('The file couldn’t be downloaded'))
  }
}
