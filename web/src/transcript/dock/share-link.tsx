import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { type Days, ShareDays, ShareWithApps } from '../../note/exports.tsx'
import { transcriptQuery } from '../../note/queries.ts'
import { call } from '../../session/client.ts'
import { Button } from '../../ui/action/button.tsx'
import { Dialog } from '../../ui/action/dialog.tsx'
import { useLostFocus } from '../../ui/action/use-lost-focus.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Copyable, copyText } from '../../ui/feedback/copy-button.tsx'
import { messageOf } from '../../ui/feedback/toast.ts'
import { moment } from '../../ui/figures.ts'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import type { OpenNote } from '../use-open-note.ts'

/** Creates, shows and removes the link by which anyone can read this note. */
export function ShareLink({ document: { id, title, share, audioAvailable }, show }: OpenNote) {
  const queries = useQueryClient()
  const [days, setDays] = useState<Days>(7)
  const [audio, setAudio] = useState(false)
  const content = useLostFocus<HTMLDivElement>(share === null)
  const reload = useCallback(() => queries.invalidateQueries(transcriptQuery(id)), [queries, id])
  // The link may have been opened in the meantime.
  useEffect(() => void reload(), [reload])
  const change = useMutation({
    async mutationFn(action: 'make' | 'end') {
      if (action === 'end') return void (await call('endShare', { params: { id } }))
      const { url } = (await call('shareTranscription', { params: { id }, body: { days, audio } })).data
      return copyText(url)
    },
    onSettled: reload,
  })
  return (
    <Dialog
      title={i18n.t('Share a link')}
      confirmLabel={i18n.t('Make a link')}
      closeLabel={i18n.t('Close|dialog')}
      busy={change.isPending}
      onConfirm={share ? undefined : () => change.mutate('make')}
      onClose={() => show({ isSharing: false })}
    >
      {change.error && <Banner>{messageOf(change.error, i18n.t('The link couldn’t be changed'))}</Banner>}
      {share ? (
        <div ref={content} tabIndex={-1} className="grid justify-items-start gap-3 focus:outline-none">
          <Copyable text={share.url} label={i18n.t('Copy link')} copied={change.data ?? undefined}>
            <ShareWithApps title={title} url={share.url} />
          </Copyable>
          <p>
            {share.audio
              ? i18n.t('Text and recording are shared until {time}.', { time: moment(share.expiresAt) })
              : i18n.t('The text is shared until {time}.', { time: moment(share.expiresAt) })}{' '}
            {i18n.t('{views, plural, one {The link was opened once.} other {The link was opened # times.}}', {
              views: share.views,
            })}
          </p>
          <Button variant="danger" size="small" busy={change.isPending} onClick={() => change.mutate('end')}>
            {i18n.t('Turn off the link')}
          </Button>
        </div>
      ) : (
        <div ref={content} tabIndex={-1} className="grid gap-4 focus:outline-none">
          <p>
            {i18n.t(
              'Anyone who has the link can read this note, with your later corrections, and needs no account.',
            )}
          </p>
          <ShareDays value={days} onChange={event => setDays(Number(event.target.value) as Days)} />
          {audioAvailable && (
            <Checkbox className="text-ink" checked={audio} onChange={event => setAudio(event.target.checked)}>
              {i18n.t('Share the recording, too')}
            </Checkbox>
          )}
        </div>
      )}
    </Dialog>
  )
}
