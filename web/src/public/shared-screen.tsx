import { useQuery } from '@tanstack/react-query'
import type { SharedNote } from '@voxscribe/contracts/http'
import { useRef, useState } from 'react'
import { useParams } from 'react-router-dom'
import { useConfig } from '../api/config.ts'
import { send } from '../api/send.ts'
import { ChatMessages } from '../conversations/chat-messages.tsx'
import { i18n } from '../language/i18n.ts'
import { clockTime, spokenTime } from '../language/times.ts'
import { titleForReader } from '../language/title.ts'
import { Name } from '../transcript/speakers/speaker-name.tsx'
import { ButtonLink } from '../ui/action/button.tsx'
import { classes, kerning } from '../ui/classes.ts'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { day } from '../ui/figures.ts'
import { Brand } from '../ui/layout/brand.tsx'
import { PageTitle } from '../ui/layout/page.tsx'

/** Shows a note by its link. The call has no session and is made only once, because each call counts as a view. */
export default function SharedScreen() {
  const { token = '' } = useParams()
  const shared = useQuery({
    queryKey: ['shared', token],
    queryFn: async ({ signal }) => (await send('sharedNote', { params: { token }, signal }, null)).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const openToAll = (useConfig().data?.signIn.signUp ?? 'open') === 'open'
  const hasEnded = Object(shared.error).status === 404
  return (
    <div className="page flex min-h-dvh max-w-3xl flex-col py-4 sm:py-8">
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <header className="flex">
        <Brand />
      </header>
      <main className="grow py-6 sm:py-10">
        {hasEnded ? (
          <Ended />
        ) : (
          <LoadError of={[shared]} fallback={i18n.t('Failed to load the transcript')} />
        )}
        {shared.isPending && <Skeletons className="gap-4" heights={['h-10 w-2/3', 'h-14', 'h-64']} />}
        {shared.data &&
          ('conversation' in shared.data ? (
            <>
              <Title>{shared.data.conversation.name}</Title>
              <ChatMessages
                conversation={shared.data.conversation}
                load={async (after, limit) =>
                  (await send('sharedMessages', { params: { token }, query: { after, limit } }, null)).data
                }
              />
            </>
          ) : (
            <Note {...shared.data} />
          ))}
      </main>
      <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t py-5">
        <p className="text-soft">{i18n.t('Made with Voxscribe, which turns voice notes into text.')}</p>
        {openToAll && (
          <ButtonLink to="/signup" variant="secondary" size="small">
            {i18n.t('Try it for free')}
          </ButtonLink>
        )}
      </footer>
    </div>
  )
}

const Title = ({ children }: { children: string }) => (
  <PageTitle title={children} className="wrap-anywhere">
    <span dir="auto" className="block">
      {children}
    </span>
  </PageTitle>
)

const Ended = () => (
  <>
    <PageTitle title={i18n.t('This link no longer works')} takesFocus />
    <p className="mt-3 max-w-prose text-lg text-soft">
      {i18n.t(
        'It has expired, was turned off, or is incomplete. Ask the person who sent it to you for a new one.',
      )}
    </p>
  </>
)

function Note({ date, paragraphs, audioUrl, speakers = [], ...note }: SharedNote) {
  const on = day(`${date}T12:00`)
  const isFromText = note.titleFrom === 'text'
  const title = isFromText ? i18n.t('Voice note, {date}', { date: on }) : titleForReader(note.title)
  const player = useRef<HTMLAudioElement>(null)
  const [second, setSecond] = useState(0)
  const spoken = second > 0 ? paragraphs.findLastIndex(({ from }) => from <= second) : -1
  const playFrom = (from: number) => {
    if (!player.current) return
    player.current.currentTime = from
    // If playing is refused, the player itself shows it.
    void player.current.play().catch(() => {})
  }
  return (
    <article>
      <Title>{title}</Title>
      {!isFromText && <p className="mt-1 text-soft text-sm">{on}</p>}
      {audioUrl && (
        // biome-ignore lint/a11y/useMediaCaption: the text is below
        <audio
          ref={player}
          controls
          preload="metadata"
          src={audioUrl}
          aria-label={i18n.t('Player')}
          onTimeUpdate={event => setSecond(event.currentTarget.currentTime)}
          className="sticky top-2 z-10 mt-4 w-full"
        />
      )}
      {paragraphs.length === 0 && <p className="mt-6 text-lg text-soft">{i18n.t('No speech found')}</p>}
      <div className="mt-5 space-y-4">
        {paragraphs.map(({ from, text, speaker }, index) => (
          <div
            key={from}
            dir="auto"
            aria-current={index === spoken || undefined}
            className={classes(
              '-ms-2.75 rounded-control border-s-3 px-2',
              index === spoken ? 'border-accent bg-wash' : 'border-transparent forced-colors:border-[Canvas]',
            )}
          >
            {audioUrl && (
              <button
                type="button"
                onClick={() => playFrom(from)}
                className="float-start me-2 -mb-1 min-h-7 select-none rounded-control text-accent text-sm tabular-nums"
              >
                <span aria-hidden="true">{clockTime(from)}</span>
                <bdi className="sr-only">{i18n.t('Play from {time}', { time: spokenTime(from) })}</bdi>
              </button>
            )}
            <p
              className={classes('wrap-anywhere whitespace-pre-wrap text-lg leading-relaxed', kerning(text))}
            >
              {speaker !== undefined && speakers.length > 0 && (
                <>
                  <Name {...{ speakers, speaker }} />{' '}
                </>
              )}
              {text}
            </p>
          </div>
        ))}
      </div>
    </article>
  )
}
