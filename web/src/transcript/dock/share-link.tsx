import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { SHARE_DAYS } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ShareWithApps } from '../../note/share-with-apps.tsx'
import { transcriptQuery } from '../../note/use-transcript.ts'
import { call } from '../../session/client.ts'
import { Button } from '../../ui/action/button.tsx'
import { Dialog } from '../../ui/action/dialog.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { messageOf } from '../../ui/feedback/error-message.ts'
import { moment } from '../../ui/figures.ts'
import { Select } from '../../ui/form/field.tsx'
import { Secret } from '../../ui/form/secret.tsx'
import { Tick } from '../../ui/form/tick.tsx'

type Days = (typeof SHARE_DAYS)[number]

/** Makes, shows and ends the link by which anyone reads this note. */
export function ShareLink({ id, title, share, audioAvailable }: TranscriptionDocument) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [days, setDays] = useState<Days>(7)
  const [audio, setAudio] = useState(false)
  const [url, setUrl] = useState<string>()
  const reload = () => queries.invalidateQueries(transcriptQuery(id))
  const change = useMutation({
    async mutationFn(does: 'make' | 'end') {
      if (does === 'make')
        return (await call('shareTranscription', { params: { id }, body: { days, audio } })).data.url
      await call('endShare', { params: { id } })
    },
    onSuccess: setUrl,
    onSettled: reload,
  })
  return (
    <>
      <Button
        variant="quiet"
        onClick={() => {
          setOpen(true)
          // It may have been opened meanwhile.
          void reload()
        }}
      >
        {i18n.t('Share a link')}
      </Button>
      {isOpen && (
        <Dialog
          title={i18n.t('Share a link')}
          confirmLabel={share ? i18n.t('Make a new link') : i18n.t('Make a link')}
          closeLabel={i18n.t('Close')}
          busy={change.isPending}
          onConfirm={url ? undefined : () => change.mutate('make')}
          onClose={() => {
            setUrl(undefined)
            change.reset()
            setOpen(false)
          }}
        >
          {change.error && <Banner>{messageOf(change.error, i18n.t('The link couldn’t be changed'))}</Banner>}
          {url && (
            <div className="mb-5 grid justify-items-start gap-3">
              <Secret secret={url} copyLabel={i18n.t('Copy link')}>
                {i18n.t('The link is ready. Copy it now: it is shown only this once.')}
              </Secret>
              <ShareWithApps title={title} url={url} />
            </div>
          )}
          {share && (
            <div className="mb-5 grid justify-items-start gap-2">
              <p>
                {share.audio
                  ? i18n.t('Text and recording are shared until {time}.', { time: moment(share.expiresAt) })
                  : i18n.t('The text is shared until {time}.', { time: moment(share.expiresAt) })}{' '}
                {i18n.t(
                  '{views, plural, one {The link was opened once.} other {The link was opened # times.}}',
                  { views: share.views },
                )}
              </p>
              {!url && (
                <p>
                  {i18n.t(
                    'We don’t keep the link itself, so it can’t be shown again. A new link takes its place.',
                  )}
                </p>
              )}
              <Button
                variant="danger"
                size="small"
                busy={change.isPending}
                onClick={() => change.mutate('end')}
              >
                {i18n.t('End the link')}
              </Button>
            </div>
          )}
          {!url && (
            <div className="grid gap-4">
              <p>
                {i18n.t(
                  'Anyone who has the link can read this note, with your later corrections, and needs no account.',
                )}
              </p>
              <Select
                label={i18n.t('The link works for')}
                value={days}
                onChange={event => setDays(Number(event.target.value) as Days)}
                options={SHARE_DAYS.map(days => ({
                  id: String(days),
                  label: i18n.t('{days, plural, one {# day} other {# days}}', { days }),
                }))}
              />
              {audioAvailable && (
                <Tick className="text-ink" checked={audio} onChange={event => setAudio(event.target.checked)}>
                  {i18n.t('Share the recording, too')}
                </Tick>
              )}
            </div>
          )}
        </Dialog>
      )}
    </>
  )
}
