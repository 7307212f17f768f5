import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { i18n } from '../../language/i18n.ts'
import { download } from '../../session/client.ts'
import { copyBlocked, copyText } from '../../ui/feedback/copy-button.tsx'
import { toastError } from '../../ui/feedback/toast.ts'

/** Characters of text that an address may hold; a longer text is passed in the clipboard. */
const IN_ADDRESS = 8_000
/** Characters that Obsidian refuses in a note's name. */
const RESERVED = /[\\/:*?"<>|#^[\]]+/g

/** Returns the address that creates a note in Obsidian, with the text or, if it is too long, with the clipboard's. */
export function addressIn(title: string, text: string): string {
  const name = title.replace(RESERVED, ' ').replace(/\s+/g, ' ').trim()
  const parts = { name, ...(text.length > IN_ADDRESS ? { clipboard: 'true' } : { content: text }) }
  // Obsidian doesn't read a plus sign as a space.
  return `obsidian://new?${new URLSearchParams(parts)}`.replaceAll('+', '%20')
}

/** Opens the note's Markdown as a new note in Obsidian, an app with its own address scheme. */
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
