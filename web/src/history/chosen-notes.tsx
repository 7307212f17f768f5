import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, download } from '../session/client.ts'
import { AskButton } from '../ui/ask-button.tsx'
import { Button } from '../ui/button.tsx'
import { messageOf } from '../ui/error-message.ts'
import { saveFile } from '../ui/save-file.ts'
import { toast } from '../ui/toast.ts'

const counted = (count: number) => (count === 1 ? '1 note' : `${count} notes`)

function useBulkChange(onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { ids: string[]; action: 'delete' | 'refresh' }) =>
      call('changeTranscriptions', { body }),
    onSuccess: ({ data: { done, failed }, message }) => {
      // Whether notes were charged is in the message.
      if (done.length) toast(message, { type: 'success' })
      const [first] = failed
      if (first) toast(`Not possible for ${counted(failed.length)}. ${first.message}`, { type: 'error' })
      onDone()
    },
    onError: error => toast(messageOf(error, 'The notes couldn’t be changed'), { type: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['transcriptions'] }),
  })
}

async function downloadZip(ids: string[]): Promise<void> {
  try {
    const { content } = await download('exportTranscriptions', { body: { ids, format: 'txt' } })
    saveFile(content, 'transcripts.zip')
  } catch (error) {
    toast(messageOf(error, 'The file couldn’t be downloaded'), { type: 'error' })
  }
}

/** The actions for the notes that are ticked. */
export function ChosenNotes({ ids, onDone }: { ids: string[]; onDone(): void }) {
  const change = useBulkChange(onDone)
  const apply = (action: 'delete' | 'refresh') => change.mutateAsync({ ids, action }).catch(() => {})
  if (!ids.length) return null
  return (
    <section
      aria-label="Selected notes"
      className="sticky top-18 z-20 mb-4 flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface p-3 shadow-sheet"
    >
      <p role="status" className="me-auto font-semibold">
        {ids.length} selected
      </p>
      <Button variant="quiet" size="small" onClick={() => void downloadZip(ids)}>
        Download as ZIP
      </Button>
      <AskButton
        label="Transcribe again"
        title={`Transcribe ${counted(ids.length)} again?`}
        confirmLabel="Transcribe again"
        closeLabel="Cancel"
        onConfirm={() => apply('refresh')}
      >
        Corrections will be replaced. A note uses its minutes once, however often you transcribe it.
      </AskButton>
      <AskButton
        label="Delete"
        title={`Delete ${counted(ids.length)}?`}
        confirmLabel="Yes, delete them"
        closeLabel="Cancel"
        danger
        onConfirm={() => apply('delete')}
      >
        Their text and audio will be deleted for good. You don’t get their minutes back.
      </AskButton>
      <Button variant="quiet" size="small" onClick={onDone}>
        Clear selection
      </Button>
    </section>
  )
}
