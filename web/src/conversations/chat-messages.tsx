import { useInfiniteQuery } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { Conversation, ConversationMessage } from '@voxscribe/contracts/http'
import { MESSAGES_PAGE_MAX } from '@voxscribe/contracts/limits'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { PlayButton, type Sound, useSound } from '../note/play-button.tsx'
import { Searched } from '../note/searched.tsx'
import { colourOf } from '../transcript/speakers/speaker-name.tsx'
import { Button } from '../ui/action/button.tsx'
import { useKeys } from '../ui/action/use-keys.ts'
import { classes, kerning } from '../ui/classes.ts'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'

interface ChatMessagesProps {
  conversation: Pick<Conversation, 'id' | 'people' | 'me' | 'timeZone' | 'messages' | 'notes'>
  /** Whether the reader may open and play the chat's notes. */
  isOwn?: boolean
  /** Number of the message to begin with. */
  first?: number
  search?: string
  /** Loads up to `limit` messages after a place. */
  load(after: number, limit: number): Promise<{ messages: ConversationMessage[]; next: number | null }>
}

/** Assumed height in pixels of a message that hasn't been measured yet. */
const MESSAGE_PX = 76
/** Messages rendered beyond the window. */
const OVERSCAN = 12
/** Messages per call. */
const LIMIT = MESSAGES_PAGE_MAX

/** The messages of a chat in one column by day, in the chat's time zone. Only those in view are rendered. */
export function ChatMessages({
  conversation,
  isOwn = false,
  first = 1,
  search = '',
  load,
}: ChatMessagesProps) {
  const { id, people, me, timeZone, messages: total, notes } = conversation
  const pages = useInfiniteQuery({
    queryKey: ['conversation', id, 'messages', first, search],
    queryFn: ({ pageParam: { after, limit } }) => load(after, limit),
    initialPageParam: { after: first - 1, limit: LIMIT },
    getNextPageParam: ({ next }) => (next === null ? null : { after: next, limit: LIMIT }),
    // Loads only the messages before the first one. Search results can't be extended backwards.
    getPreviousPageParam(_page, _pages, { after: end }) {
      const after = Math.max(0, end - LIMIT)
      return search || end === 0 ? null : { after, limit: end - after }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const known = new Map(people.map(({ id, name }, place) => [id, { name, colour: colourOf(place) }]))
  const dayOf = (at: string) => new Date(at).toLocaleDateString(i18n.locale, { timeZone, dateStyle: 'full' })
  const messages = useMemo(() => pages.data?.pages.flatMap(page => page.messages) ?? [], [pages.data])
  const list = useRef<HTMLOListElement>(null)
  const rows = useWindowVirtualizer({
    count: messages.length,
    estimateSize: () => MESSAGE_PX,
    overscan: OVERSCAN,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: index => messages[index]!.n,
    // What is in view stays in place when earlier messages load above it. The list must not stick to the end of what is
    // loaded.
    anchorTo: 'end',
    scrollEndThreshold: Number.NEGATIVE_INFINITY,
  })
  const drawn = rows.getVirtualItems()
  const { hasNextPage, hasPreviousPage, isFetching, isError, fetchNextPage, fetchPreviousPage } = pages
  const isNearEnd = (drawn.at(-1)?.index ?? 0) >= messages.length - OVERSCAN - 1
  useEffect(() => {
    if (hasNextPage && isNearEnd && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isNearEnd, isFetching, isError, fetchNextPage])
  const isBackAtStart = rows.scrollDirection === 'backward' && drawn[0]?.index === 0
  useEffect(() => {
    if (hasPreviousPage && isBackAtStart && !isFetching && !isError) void fetchPreviousPage()
  }, [hasPreviousPage, isBackAtStart, isFetching, isError, fetchPreviousPage])

  const [isInOrder, setInOrder] = useState(false)
  const sound = useSound(heard => {
    if (isInOrder) void playFrom(placeOf(heard) + 1)
  })
  const { playing } = sound
  const placeOf = (id: string | undefined) => messages.findIndex(({ note }) => note && note.id === id)
  /** Plays the first voice note from a place on, and loads more messages as needed. */
  async function playFrom(place: number) {
    for (let [all, at, isMore] = [messages, place, hasNextPage]; ; ) {
      const next = all.slice(at).find(({ note }) => note && note.status !== 'failed')?.note
      if (next) return sound.play(next.id)
      if (!isMore) return setInOrder(false)
      at = all.length
      const { data, isError: isGone, hasNextPage: hasMore } = await fetchNextPage()
      if (!data || isGone) return setInOrder(false)
      all = data.pages.flatMap(page => page.messages)
      isMore = hasMore
    }
  }
  const playingAt = isInOrder && playing ? placeOf(playing) : -1
  useEffect(() => {
    if (playingAt >= 0) rows.scrollToIndex(playingAt, { align: 'center' })
  }, [rows, playingAt])
  const step = (by: number) => () => {
    const at = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset.index
    let next = at === undefined ? (drawn[0]?.index ?? 0) : Number(at) + by
    // Notices can't be focused.
    while (messages[next]?.kind === 'system') next += by
    if (!messages[next]) return
    rows.scrollToIndex(next)
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-index="${next}"] article`)?.focus(),
    )
  }
  useKeys(key => (key === 'j' ? step(1) : key === 'k' && step(-1)))
  return (
    <>
      <LoadError of={[pages]} fallback={i18n.t('Failed to load the transcript')} />
      {pages.isPending && <Skeletons className="mt-5 gap-4" heights={['h-14', 'h-14', 'h-14']} />}
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {isOwn && notes.length > 0 && (
          <Button
            size="small"
            variant="secondary"
            onClick={() => {
              if (playing) return sound.pause()
              setInOrder(true)
              void playFrom(isInOrder ? Math.max(0, placeOf(sound.latest)) : 0)
            }}
          >
            {playing ? i18n.t('Pause|playing') : i18n.t('Play all voice notes')}
          </Button>
        )}
        {hasPreviousPage && (
          <Button
            size="small"
            variant="secondary"
            busy={pages.isFetchingPreviousPage}
            onClick={() => void fetchPreviousPage()}
          >
            {i18n.t('Earlier messages')}
          </Button>
        )}
      </div>
      <p role="status" className="not-empty:mt-6 text-soft">
        {messages.length === 0 && pages.isSuccess && i18n.t('Nothing found')}
      </p>
      <ol
        ref={list}
        aria-label={i18n.t('Messages')}
        className="relative mt-5 max-w-3xl"
        style={{ height: rows.getTotalSize() }}
      >
        {drawn.map(({ index, key, start }) => {
          const message = messages[index]!
          const day = dayOf(message.at)
          const isNewDay = index === 0 || day !== dayOf(messages[index - 1]!.at)
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-posinset={search ? index + 1 : message.n}
              aria-setsize={search ? -1 : total}
              className="absolute inset-x-0 top-0 pb-2"
              style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
            >
              {isNewDay && <h2 className="pt-4 pb-2 text-center text-soft text-sm">{day}</h2>}
              <Message
                message={message}
                search={search}
                sound={isOwn ? sound : null}
                {...known.get(message.personId ?? '')}
                isMine={message.personId !== null && message.personId === me}
                time={new Date(message.at).toLocaleTimeString(i18n.locale, { timeZone, timeStyle: 'short' })}
              />
            </li>
          )
        })}
      </ol>
      {pages.isFetchingNextPage && <Skeletons className="mt-2 gap-2" heights={['h-14']} />}
    </>
  )
}

interface MessageProps {
  message: ConversationMessage
  search: string
  /** Null for a reader who may not open and play the chat's notes. */
  sound: Sound | null
  /** Name of the sender; undefined for a notice. */
  name?: string
  colour?: string | undefined
  isMine: boolean
  time: string
}

function Message({ message, search, sound, name, colour, isMine, time }: MessageProps) {
  const { kind, text, file, note, edited } = message
  if (kind === 'system')
    return (
      <p dir="auto" className="wrap-anywhere text-center text-soft text-sm">
        {text}
      </p>
    )
  const isPlaying = sound !== null && sound.playing === note?.id
  const label =
    kind === 'deleted'
      ? i18n.t('Deleted message')
      : kind === 'file'
        ? file?.name
          ? i18n.t('File: {name}', { name: file.name })
          : i18n.t('File, left out of the export')
        : ''
  return (
    <article
      aria-label={`${name}, ${time}`}
      aria-current={isPlaying || undefined}
      // The keys j and k move the focus.
      tabIndex={-1}
      className={classes(
        'w-fit min-w-40 max-w-[85%] rounded-control border border-line px-3 py-2',
        isMine && 'ms-auto bg-wash',
        isPlaying && 'outline-2 outline-accent',
      )}
    >
      <header className="flex items-baseline justify-between gap-4 text-sm">
        <bdi className={classes('wrap-anywhere font-semibold', colour)}>{name}</bdi>
        <time dateTime={message.at} className="shrink-0 text-soft tabular-nums">
          {sound && note ? (
            <Link to={`/transcriptions/${note.id}`} className="hover:underline">
              {time}
            </Link>
          ) : (
            time
          )}
        </time>
      </header>
      {label && (
        <p dir="auto" className="wrap-anywhere text-soft text-sm">
          {label}
        </p>
      )}
      {kind === 'note' && (
        <div className="flex items-start gap-1">
          {sound && note && (
            <PlayButton
              id={note.id}
              title={i18n.t('the voice note of {name}', { name: name ?? '' })}
              sound={sound}
            />
          )}
          <p
            dir="auto"
            className={classes(
              'wrap-anywhere min-w-0 flex-1 whitespace-pre-wrap border-accent border-s-3 ps-2',
              kerning(note?.text ?? ''),
            )}
          >
            {note?.text ? (
              <Searched text={note.text} search={search} />
            ) : (
              <span className="text-soft">
                {note?.status === 'processing' ? i18n.t('Processing') : i18n.t('Not transcribed')}
              </span>
            )}
          </p>
        </div>
      )}
      {text && (
        <p dir="auto" className={classes('wrap-anywhere whitespace-pre-wrap', kerning(text))}>
          <Searched text={text} search={search} />
          {edited && <span className="text-soft text-sm"> ({i18n.t('edited')})</span>}
        </p>
      )}
    </article>
  )
}
