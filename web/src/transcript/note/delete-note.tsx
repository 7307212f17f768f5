import { Button } from '../../ui/button.tsx'
import { useDeleteNotes } from './deletions.ts'

/** Deletes a note, which can be undone for 10 s. */
export function DeleteNote({ id, onGone }: { id: string; onGone(): void }) {
  const deleteNotes = useDeleteNotes()
  return (
    <Button
      variant="quiet"
      size="small"
      onClick={() => {
        deleteNotes([id])
        onGone()
      }}
    >
      Delete
    </Button>
  )
}
