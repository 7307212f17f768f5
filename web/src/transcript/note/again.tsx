import { languages } from '@voxscribe/contracts/languages'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { messageOf } from '../../ui/error-message.ts'
import { Select } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAnotherTry } from './changes.ts'

interface AgainProps {
  id: string
  language: string
  /** The note has corrections, which a new transcript replaces. */
  edited?: boolean
  variant?: 'secondary' | 'quiet'
}

/** Transcribes a note again, in the same language or another. */
export function Again({ id, language, edited = false, variant = 'quiet' }: AgainProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const again = useAnotherTry()
  const close = () => setChosen(null)
  const start = () =>
    again.mutate(
      { id, ...(chosen && chosen !== language && { language: chosen }) },
      {
        onSuccess: () => toast('The note is being transcribed again.'),
        onError: error => toast(messageOf(error, 'Failed to transcribe again'), { type: 'error' }),
        onSettled: close,
      },
    )
  return (
    <>
      <Button variant={variant} size="small" onClick={() => setChosen(language)}>
        Transcribe again
      </Button>
      <Dialog
        open={chosen !== null}
        title="Transcribe this note again?"
        onClose={close}
        onConfirm={start}
        confirmLabel="Transcribe again"
        closeLabel="Cancel"
        busy={again.isPending}
      >
        <Select
          label="Spoken language"
          value={chosen ?? ''}
          onChange={event => setChosen(event.target.value)}
        >
          {languages.map(({ id: value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <p className="mt-3">
          {edited && 'Your corrections will be replaced. '}A note uses its minutes once, however often you
          transcribe it.
        </p>
      </Dialog>
    </>
  )
}
