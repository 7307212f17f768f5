import { SPEAKERS_FAILED } from '@voxscribe/contracts/reasons'
import { speakerNames } from '@voxscribe/contracts/wording'
import { useConfig } from '../../api/config.ts'
import { i18n } from '../../language/i18n.ts'
import { NOTES } from '../../note/queries.ts'
import { call } from '../../session/client.ts'
import { AskButton } from '../../ui/action/ask-button.tsx'
import { Button } from '../../ui/action/button.tsx'
import { useAction } from '../../ui/feedback/use-action.ts'
import { figure, percent } from '../../ui/figures.ts'
import { Row } from '../../ui/layout/details.tsx'
import { useWide } from '../../ui/layout/use-wide.ts'
import type { OpenNote } from '../use-open-note.ts'

/** Whether this installation can distinguish voices. */
export const useHasSpeakerModel = (): boolean => useConfig().data?.speech.speakers ?? false

/** Null: the number is detected. */
const COUNTS = [2, 3, null] as const

/** Asks how many people speak, and shows the progress of separating them; renders nothing if that's impossible. */
export function WhoSpeaks({ document, hasText, isCorrecting, isAskingWhoSpeaks }: OpenNote) {
  const { id, speakers = [], speakersProgress = null, audioAvailable, notices = [] } = document
  const hasSpeakerModel = useHasSpeakerModel()
  const isWide = useWide()
  const nameOf = speakerNames(i18n, speakers)
  const asking = useAction({
    send: (count: number | null) =>
      call('findSpeakers', { params: { id }, body: count === null ? {} : { count } }),
    failed: i18n.t('That didn’t work'),
    reload: NOTES,
  })
  const cancelling = useAction({
    send: () => call('cancelSpeakers', { params: { id } }),
    failed: i18n.t('That didn’t work'),
    reload: NOTES,
  })
  if (!hasText || isCorrecting) return null
  if (speakersProgress !== null)
    return (
      <p className="mt-2 flex flex-wrap items-center gap-x-3 text-sm lg:mt-0 lg:mb-4" role="status">
        {speakersProgress > 0
          ? i18n.t('Telling the voices apart: {share}', { share: percent(speakersProgress) ?? '' })
          : i18n.t('Telling the voices apart: waiting')}
        <Button size="small" variant="quiet" busy={cancelling.isPending} onClick={() => cancelling.run()}>
          {i18n.t('Cancel')}
        </Button>
      </p>
    )
  const isOffered = hasSpeakerModel && audioAvailable
  const hasFailed = notices.some(({ code }) => code === SPEAKERS_FAILED)
  const isHere = speakers.length > 0 || (isOffered && (isWide || isAskingWhoSpeaks))
  if (!isHere) return null
  return (
    <Row
      name={i18n.t('Speakers')}
      value={speakers.map(({ id }) => nameOf(id)).join(', ')}
      open={isAskingWhoSpeaks}
    >
      {speakers.length > 0 && (
        <p className="mb-2 text-soft text-xs">
          {i18n.t('Speakers may be mixed up. Click a name to change it.')}
        </p>
      )}
      {isOffered && (
        <fieldset className="print:hidden flex flex-wrap items-center gap-2">
          <legend className="contents">
            {speakers.length || hasFailed ? i18n.t('Tell them apart again:') : i18n.t('Who speaks?')}
          </legend>
          {COUNTS.map(count => {
            const label = count ? figure(count) : i18n.t('I don’t know')
            return speakers.length > 0 ? (
              <AskButton
                key={count}
                label={label}
                variant="secondary"
                title={i18n.t('Tell the voices apart again?')}
                confirmLabel={i18n.t('Tell them apart again')}
                onConfirm={() => asking.run(count)}
              >
                {i18n.t('Names that you typed and lines that you gave to another voice will be replaced.')}
              </AskButton>
            ) : (
              <Button
                key={count}
                size="small"
                variant="secondary"
                busy={asking.isPending}
                onClick={() => asking.run(count)}
              >
                {label}
              </Button>
            )
          })}
        </fieldset>
      )}
    </Row>
  )
}
