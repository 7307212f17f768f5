import { useInfiniteQuery } from '@tanstack/react-query'
import type { Conversation, ConversationMessage } from '@voxscribe/contracts/http'
import { i18n } from '../language/i18n.ts'
import { Button } from '../ui/action/button.tsx'
import { classes } from '../ui/classes.ts'
import { LoadError } from '../ui/feedback/load-error.tsx'
import { Skeletons } from '../ui/feedback/skeleton.tsx'

interface ChatMessagesProps {
  conversation: Pick<Conversation, 'id' | 'people' | 'me' | 'timeZone'>
  /** The message that it begins with. */
  first?: number
  search?: string
  /** Loads the messages after a place. */
  load(after: number): Promise<{ messages: ConversationMessage[]; next: number | null }>
}

/** The messages of a chat as one column with its days, in the time of the chat. */
export function ChatMessages({ conversation, first = 1, search = '', load }: ChatMessagesProps) {
  const { id, people, me, timeZone } = conversation
  const pages = useInfiniteQuery({
    queryKey: ['conversation', id, 'messages', first, search],
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: first - 1,
    getNextPageParam: page => page.next,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const names = new Map(people.map(person => [person.id, person.name]))
  const dayOf = (at: string) => new Date(at).toLocaleDateString(i18n.locale, { timeZone, dateStyle: 'full' })
  const messages = pages.data?.pages.flatMap(page => page.messages) ?? []
  return (
    <>
      <LoadError of={[pages]} fallback={i18n.t('Failed to load the transcript')} />
      {pages.isPending && <Skeletons className="mt-5 gap-4" heights={['h-14', 'h-14', 'h-14']} />}
      {messages.length === 0 && pages.isSuccess && (
        <p className="mt-6 text-soft">{i18n.t('Nothing found')}</p>
      )}
      <ol className="mt-5 space-y-2">
        {messages.map((message, index) => {
          const day = dayOf(message.at)
          const isNewDay = index === 0 || day !== dayOf(messages[index - 1]?.at ?? message.at)
          return (
            <li key={message.n}>
              {isNewDay && <h2 className="mt-6 mb-2 text-center text-soft text-sm">{day}</h2>}
              <Message
                message={message}
                name={names.get(message.personId ?? '')}
                isMine={message.personId !== null && message.personId === me}
                time={new Date(message.at).toLocaleTimeString(i18n.locale, { timeZone, timeStyle: 'short' })}
              />
            </li>
          )
        })}
      </ol>
      {pages.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-4"
          disabled={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {i18n.t('Show more')}
        </Button>
      )}
    </>
  )
}

interface MessageProps {
  message: ConversationMessage
  /** Of who wrote it; undefined for a notice. */
  name: string | undefined
  isMine: boolean
  time: string
}

function Message({ message, name, isMine, time }: MessageProps) {
  const { kind, text, file, note, edited } = message
  if (kind === 'system')
    return (
      <p dir="auto" className="wrap-anywhere text-center text-soft text-sm">
        {text}
      </p>
    )
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
      className={classes(
        'w-fit min-w-40 max-w-[85%] rounded-control border border-line px-3 py-2',
        isMine && 'ms-auto bg-wash',
      )}
    >
      <header className="flex items-baseline justify-between gap-4 text-sm">
        <bdi className="wrap-anywhere font-medium">{name}</bdi>
        <time dateTime={message.at} className="shrink-0 text-soft tabular-nums">
          {time}
        </time>
      </header>
      {label && (
        <p dir="auto" className="wrap-anywhere text-soft text-sm">
          {label}
        </p>
      )}
      {kind === 'note' && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap border-accent border-s-3 ps-2">
          {note?.text || <span className="text-soft">{i18n.t('Not transcribed')}</span>}
        </p>
      )}
      {text && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {text}
          {edited && <span className="text-soft text-sm"> ({i18n.t('edited')})</span>}
        </p>
      )}
    </article>
  )
}
