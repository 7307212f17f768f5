import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { Button } from '../ui/action/button.tsx'
import { useAction } from '../ui/feedback/use-action.ts'
import { NOTES } from './queries.ts'

/** Permanently removes the sample note of a new account. */
export function RemoveSample({ id, onRemoved }: { id: string; onRemoved?(): void }) {
  const removing = useAction({
    send: () => call('deleteTranscription', { params: { id } }),
    ...(onRemoved && { onSuccess: onRemoved }),
    failed: i18n.t('The sample couldn’t be removed'),
    reload: NOTES,
  })
  return (
    <Button size="small" variant="secondary" busy={removing.isPending} onClick={() => removing.run()}>
      {i18n.t('Remove the sample')}
    </Button>
  )
}
