import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { i18n } from '../../language/i18n.ts'
import { useDeleteNotes } from '../../note/deletions.ts'
import { Button } from '../../ui/action/button.tsx'
import { Group, Menu } from '../../ui/action/menu.tsx'
import { classes } from '../../ui/classes.ts'
import { Chevron } from '../../ui/icon.tsx'
import { useWide } from '../../ui/layout/use-wide.ts'
import { useTextModel } from '../derived/use-making.ts'
import { useHasSpeakerModel } from '../speakers/who-speaks.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { Downloads } from './downloads.tsx'

/** Everything that is done less often. Deleting is the last, and always in sight. */
export function MoreMenu(note: OpenNote) {
  const { document, hasText } = note
  const { status, audioUrl, audioAvailable, speakers = [], speakersProgress } = document
  const navigate = useNavigate()
  const deleteNotes = useDeleteNotes()
  const [hasModel, hasSpeakerModel, isWide] = [useTextModel(), useHasSpeakerModel(), useWide()]
  const isDone = status === 'completed'
  const canAskWhoSpeaks = hasText && hasSpeakerModel && audioAvailable && !speakers.length && !isWide
  return (
    <Menu
      label={
        <>
          <span aria-hidden="true">⋯</span>
          <span className="sr-only">{i18n.t('More actions')}</span>
        </>
      }
      button="min-h-9 border border-edge/60 bg-surface px-4 text-sm hover:border-accent hover:text-accent"
      panel="z-30 overflow-y-auto rounded-card px-2 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-b-none max-sm:max-h-[80dvh] sm:end-0 sm:mt-1 sm:max-h-[calc(100dvh-16rem)] sm:w-80 sm:max-lg:start-0 sm:max-lg:end-auto"
    >
      {close => {
        const closing = (act: () => void) => () => {
          close()
          act()
        }
        return (
          <>
            <Group title={i18n.t('This note|voice note')} className="pt-2">
              {isDone && <Entry onClick={closing(() => note.setSharing(true))}>{i18n.t('Share')}</Entry>}
              {(isDone || audioUrl) && <DownloadEntry {...note} onDone={close} />}
              {hasText && hasModel && (
                <Entry onClick={closing(() => note.setTranslating(true))}>{i18n.t('Translate')}</Entry>
              )}
              {hasText && <Entry onClick={closing(() => note.setQuoting([0, 0]))}>{i18n.t('Quote')}</Entry>}
              <Entry onClick={closing(() => note.setRenaming(true))}>{i18n.t('Rename')}</Entry>
              {canAskWhoSpeaks && speakersProgress === null && (
                <Entry onClick={closing(() => note.setAskingWhoSpeaks(true))}>{i18n.t('Who speaks?')}</Entry>
              )}
            </Group>
            <Group title={i18n.t('Delete')} className="sticky bottom-0 bg-surface pb-2">
              <Button
                variant="danger"
                onClick={() => {
                  deleteNotes([document])
                  navigate('/transcription-history', { replace: true })
                }}
              >
                {i18n.t('Delete')}
              </Button>
            </Group>
          </>
        )
      }}
    </Menu>
  )
}

const Entry = ({ onClick, children }: { onClick(): void; children: ReactNode }) => (
  <Button variant="quiet" onClick={onClick}>
    {children}
  </Button>
)

/** Opens the files below itself. */
function DownloadEntry({ onDone, ...note }: OpenNote & { onDone(): void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="[&>span]:flex [&>span]:grow [&>span]:items-center [&>span]:justify-between"
      >
        {i18n.t('Download')}
        <Chevron className={classes('transition-transform', !isOpen && '-rotate-90 rtl:rotate-90')} />
      </Button>
      {isOpen && <Downloads {...note} onDone={onDone} />}
    </>
  )
}
