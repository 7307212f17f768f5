import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { download } from '../session/client.ts'
import { Button } from '../ui/action/button.tsx'
import { saveFile } from '../ui/action/save-file.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { messageOf } from '../ui/feedback/toast.ts'
import { fileSize } from '../ui/figures.ts'
import { TitledCard } from '../ui/layout/card.tsx'

/** Everything of the account as a zip. Its size is an estimate; leaving the page ends it. */
export function ExportCard() {
  const [progress, setProgress] = useState({ received: 0, expected: Number.NaN })
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])
  const exporting = useMutation({
    async mutationFn() {
      const abort = new AbortController()
      leaving.current = abort
      setProgress({ received: 0, expected: Number.NaN })
      const onBytes = (received: number, expected: number) => setProgress({ received, expected })
      const { content, fileName } = await download('exportAccount', { signal: abort.signal, onBytes })
      saveFile(content, fileName ?? 'voxscribe.zip')
    },
  })
  function cancel() {
    leaving.current?.abort()
    exporting.reset()
  }
  return (
    <TitledCard title={i18n.t('Download everything')} large>
      <p className="mt-2 text-soft">
        {i18n.t(
          'You get one ZIP file with your profile, all your texts, the recordings that are still here, your minutes and your payments. A file in it explains the rest.',
        )}
      </p>
      {exporting.isPending && <Progress {...progress} />}
      {exporting.isError && (
        <Banner className="mt-4">
          {messageOf(exporting.error, i18n.t('The file couldn’t be downloaded'))}
        </Banner>
      )}
      {exporting.isSuccess && (
        <Banner tone="success" className="mt-4">
          {i18n.t('Your download is complete.')}
        </Banner>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          busy={exporting.isPending}
          busyLabel={i18n.t('Downloading…')}
          onClick={() => exporting.mutate()}
        >
          {i18n.t('Download everything')}
        </Button>
        {exporting.isPending && (
          <Button variant="secondary" onClick={cancel}>
            {i18n.t('Cancel|question')}
          </Button>
        )}
      </div>
    </TitledCard>
  )
}

function Progress({ received, expected }: { received: number; expected: number }) {
  // More may come than was expected.
  const share = Number.isNaN(expected) ? undefined : Math.min(0.99, received / expected)
  const [has, all] = [fileSize(received), fileSize(Math.max(received, expected))]
  return (
    <div className="mt-4 grid gap-1.5">
      <progress className="w-full accent-accent" aria-label={i18n.t('Download everything')} value={share} />
      <p className="text-sm text-soft tabular-nums">
        {share === undefined ? has : i18n.t('{has} of about {all}', { has, all })}
      </p>
    </div>
  )
}
