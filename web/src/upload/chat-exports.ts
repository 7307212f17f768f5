import { useNavigate } from 'react-router-dom'
import { useKept } from '../use-kept.ts'

/** A file with the folders that lead to it. */
export interface FileAt {
  path: string
  file: File
}

interface Chosen {
  id: string
  files: FileAt[]
}

/** Whether a file's name looks like the export of a chat. */
export const isChatExport = ({ name }: File): boolean =>
  /\.zip$|^_chat\.txt$|whatsapp.*\.txt$|^result\.json$/i.test(name)

/** The chat export that was chosen here or on another page. */
export function useChatExport() {
  const navigate = useNavigate()
  const [chosen, setChosen] = useKept<Chosen>(['chat-export'])
  return {
    chosen,
    /** Opens the page of chats with the export. */
    choose(files: FileAt[]) {
      setChosen({ id: crypto.randomUUID(), files })
      navigate('/conversations')
    },
    forget: () => setChosen(null),
  }
}
