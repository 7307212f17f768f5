import { useMutation, useQueryClient } from '@tanstack/react-query'
import { languages } from '@voxscribe/contracts/languages'
import { useState } from 'react'
import { useKnownLanguages } from '../../plan/speech-here.tsx'
import { call } from '../../session/client.ts'
import { AskButton } from '../../ui/ask-button.tsx'
import { messageOf } from '../../ui/error-message.ts'
import { Select } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { NOTES } from './use-transcript.ts'

interface AgainProps {
  id: string
  language: string
  /** The note has corrections, which a new transcript replaces. */
  edited?: boolean
  variant?: 'secondary' | 'quiet'
}

/** Transcribes a note again, in the same language or another. */
export function Again({ id, language, edited = false, variant }: AgainProps) {
  const [chosen, setChosen] = useState(language)
  const queries = useQueryClient()
  const again = useMutation({
    mutationFn: () =>
      call('refreshTranscription', {
        params: { id },
        ...(chosen !== language && { body: { language: chosen } }),
      }),
    onSuccess: () => toast('The note is being transcribed again.'),
    onError: error => toast(messageOf(error, 'Failed to transcribe again'), { type: 'error' }),
    onSettled: () => queries.invalidateQueries(NOTES),
  })
  return (
    <AskButton
      label="Transcribe again"
      variant={variant}
      title="Transcribe this note again?"
      confirmLabel="Transcribe again"
      closeLabel="Cancel"
      onAsk={() => setChosen(language)}
      onConfirm={() => again.mutateAsync().catch(() => {})}
    >
      <Select
        label="Spoken language"
        value={chosen}
        options={useKnownLanguages(languages)}
        onChange={event => setChosen(event.target.value)}
      />
      <p className="mt-3">
        {edited && 'Your corrections will be replaced. '}A note uses its minutes once, however often you
        transcribe it.
      </p>
    </AskButton>
  )
}
