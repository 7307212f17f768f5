import type { User } from '@voxscribe/contracts/http'
import { quantity } from '@voxscribe/contracts/wording'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { SpokenLanguage } from '../note/language-choice.tsx'
import { useSession } from '../session/session.ts'
import { classes } from '../ui/classes.ts'
import { Skeleton } from '../ui/feedback/loading.tsx'
import { Summary } from '../ui/layout/details.tsx'
import { isChatExport, useChatExport } from './chat-exports.ts'
import { DropZone, droppedFiles, FileButton } from './choose-files.tsx'
import { Recorder } from './recorder.tsx'
import { SharedList } from './shared-list.tsx'
import { canMakeSmaller } from './size-limit.ts'
import { UploadList } from './upload-list.tsx'
import { ACCEPTED, FORMATS, useUploads } from './uploads.ts'

/** Takes files and recordings: dropped, chosen, recorded, or shared with the app. */
export function BringIn({ className }: { className?: string }) {
  const { user } = useSession()
  const { data: config } = useConfig()
  const [language, setLanguage] = useState('')
  const uploading = useUploads()
  const chats = useChatExport()
  useBegin(user !== null && config !== undefined)
  if (!user) return null
  if (!config) return <Skeleton className={classes('h-15.5 sm:h-17.5', className)} />
  const { maxFileBytes } = config
  // A stored user may lack the subscription until the profile has loaded.
  const plan: User['subscription'] | undefined = user.subscription
  const most = plan?.subscription_minutes ?? null
  const left = plan && most !== null ? Math.max(0, most - plan.used_minutes) : undefined
  const openChat = (files: File[]) => chats.choose(files.map(file => ({ path: file.name, file })))
  const add = (files: Iterable<File>) => {
    const all = [...files]
    const exports = all.filter(isChatExport)
    if (exports[0]) openChat(exports.slice(0, 1))
    uploading.add(
      all.filter(file => !exports.includes(file)),
      maxFileBytes,
      language || undefined,
    )
  }
  return (
    <section aria-labelledby="bring-in-heading" className={className}>
      <h2 id="bring-in-heading" className="sr-only">
        {i18n.t('Transcribe a file or a recording')}
      </h2>
      <DropZone onDrop={dropped => void droppedFiles(dropped).then(add)}>
        <FileButton
          data-begin="upload"
          name={i18n.t('Audio or video files')}
          accept={ACCEPTED}
          multiple
          onFiles={add}
          // On the narrowest screens long words wrap onto two lines, so that everything stays in one row.
          className="max-[22.5rem]:basis-0 max-[22.5rem]:grow max-[22.5rem]:px-1 max-xs:px-3"
        >
          {i18n.t('Choose files')}
        </FileButton>
        <Recorder
          onRecorded={file => add([file])}
          maxBytes={maxFileBytes}
          wordsIn={config.preview && left !== 0 ? language || user.wa_language || 'auto' : null}
        />
        <p className="text-soft max-md:hidden">{i18n.t('or drop files here')}</p>
        <details className="ms-auto min-w-0 open:basis-full">
          <Summary className="px-2 text-sm max-[22.5rem]:px-1">
            <span className="sm:hidden">{i18n.t('Language')}</span>
            <span className="max-sm:hidden">{i18n.t('Language and limits')}</span>
          </Summary>
          <div className="grid gap-3 pt-2 pb-1">
            <p className="text-soft">
              {i18n.t('{formats}, at most {size} each.', {
                formats: FORMATS,
                size: quantity(i18n, maxFileBytes / 1024 / 1024, 'megabyte'),
              })}{' '}
              {canMakeSmaller() &&
                `${i18n.t('Larger ones are made smaller first: only their sound is sent.')} `}
              {left !== undefined &&
                left > 0 &&
                i18n.t(
                  '{minutes, plural, one {You have # minute left; longer files won’t be transcribed.} other {You have # minutes left; longer files won’t be transcribed.}}',
                  { minutes: left },
                )}
            </p>
            <SpokenLanguage
              value={language}
              onChange={setLanguage}
              className="w-full sm:w-56"
              first={{ id: '', label: i18n.t('As in your profile') }}
            />
          </div>
        </details>
      </DropZone>
      <SharedList
        userId={user.id}
        onTaken={files => (files.some(isChatExport) ? openChat(files) : add(files))}
      />
      <UploadList {...uploading} />
    </section>
  )
}

/** Presses the button that the previous page named (`begin`), once only: not again after a reload. */
function useBegin(isReady: boolean) {
  const begin: unknown = useLocation().state?.begin
  const navigate = useNavigate()
  const press = useEffectEvent(() => {
    const button = document.querySelector<HTMLElement>(`[data-begin="${begin}"]`)
    navigate('.', { replace: true, state: null })
    button?.focus()
    button?.click()
  })
  const pressed = useRef<unknown>(undefined)
  useEffect(() => {
    if (!isReady) return
    if (begin && pressed.current !== begin) press()
    pressed.current = begin
  }, [begin, isReady])
}
