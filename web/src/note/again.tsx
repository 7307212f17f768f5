import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { engineLabel } from '../language/names.ts'
import { call } from '../session/client.ts'
import { AskButton } from '../ui/action/ask-button.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { Select } from '../ui/form/field.tsx'
import { SpokenLanguage } from './language-choice.tsx'
import { NOTES } from './queries.ts'

/** Transcribes a note again, in the same language or another, with the best engine or a chosen one. */
export function Again({
  id,
  language,
  edited,
  label,
}: TranscriptionDocument & { label?: string | undefined }) {
  const [chosen, setChosen] = useState(language)
  const [engine, setEngine] = useState('')
  const engines = useConfig().data?.speech?.engines ?? []
  const again = useAction({
    send: () =>
      call('refreshTranscription', {
        params: { id },
        body: { ...(chosen !== language && { language: chosen }), ...(engine && { engine }) },
      }),
    onSuccess: () => toast(i18n.t('The note is being transcribed again.')),
    failed: i18n.t('Failed to transcribe again'),
    reload: NOTES,
  })
  return (
    <AskButton
      label={
        label ? (
          <>
            {label}
            <span className="sr-only">, {i18n.t('Transcribe again')}</span>
          </>
        ) : (
          i18n.t('Transcribe again')
        )
      }
      title={i18n.t('Transcribe this note again?')}
      confirmLabel={i18n.t('Transcribe again')}
      onAsk={() => {
        setChosen(language)
        setEngine('')
      }}
      onConfirm={again.run}
    >
      <SpokenLanguage value={chosen} onChange={setChosen} />
      {engines.length > 1 && (
        <Select
          label={i18n.t('Recognized by')}
          className="mt-3"
          value={engine}
          options={[
            { id: '', label: i18n.t('The best for the language') },
            ...engines.map(one => ({ id: one.name, label: engineLabel(one) })),
          ]}
          onChange={event => setEngine(event.target.value)}
        />
      )}
      <p className="mt-3">
        {edited && `${i18n.t('Your corrections will be replaced.')} `}
        {i18n.t('A note uses its minutes once, however often you transcribe it.')}
      </p>
    </AskButton>
  )
}
