import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'

/** A file with the folders that lead to it. */
export interface FileAt {
  path: string
  file: File
}

interface Chosen {
  id: string
  files: FileAt[]
}

const CHOSEN = { queryKey: ['chat-export'] }

/** Whether a file's name looks like the export of a chat. */
export const isChatExport = ({ name }: File): boolean =>
  /\.zip$|^_chat\.txt$|whatsapp.*\.txt$|^result\.json$/i.test(name)

/** The chat export that was chosen here or on another page. */
export function useChatExport() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data: chosen } = useQuery<Chosen | null>({ ...CHOSEN, queryFn: skipToken })
  return {
    chosen,
    /** Opens the page of chats with the export. */
    choose(files: FileAt[]) {
      queries.setQueryData<Chosen>(CHOSEN.queryKey, { id: crypto.randomUUID(), files })
      navigate('/conversations')
    },
    forget: () => queries.setQueryData(CHOSEN.queryKey, null),
  }
}
