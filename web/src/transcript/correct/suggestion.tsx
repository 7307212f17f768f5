import { OWN_WORDS_MAX } from '@voxscribe/contracts/limits'
import { i18n } from '../../language/i18n.ts'
import { transcriptQuery } from '../../note/use-transcript.ts'
import { call } from '../../session/client.ts'
import { Button } from '../../ui/action/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { useAction } from '../../ui/feedback/use-action.ts'
import type { OpenNote } from '../use-open-note.ts'

/** Asks whether a correction of two notes is to be a replacement, and keeps the answer with the person's words. */
export function Suggestion({ document: { id, suggestion } }: OpenNote) {
  const answer = useAction({
    async send(kind: 'replacements' | 'declined') {
      if (!suggestion) return
      const { engine: _, refused: _words, ...own } = (await call('words')).data
      const before = own[kind] ?? []
      const kept = kind === 'declined' ? before.slice(1 - OWN_WORDS_MAX) : before
      await call('replaceWords', { body: { ...own, [kind]: [...kept, suggestion] } })
    },
    failed: i18n.t('Your words couldn’t be saved'),
    reload: transcriptQuery(id),
  })
  if (!suggestion) return null
  return (
    <Banner
      tone="info"
      className="mt-2"
      action={
        <div className="flex gap-2">
          <Button size="small" disabled={answer.isPending} onClick={() => answer.run('replacements')}>
            {i18n.t('Yes')}
          </Button>
          <Button
            size="small"
            variant="secondary"
            disabled={answer.isPending}
            onClick={() => answer.run('declined')}
          >
            {i18n.t('No')}
          </Button>
        </div>
      }
    >
      <span className="wrap-anywhere">{i18n.t('Always write “{write}” for “{heard}”?', suggestion)}</span>
    </Banner>
  )
}
