import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Answered, Passage } from '@voxscribe/contracts/http'
import { EARLIER_QUESTIONS, FEW_LEFT, SEARCH_MAX } from '@voxscribe/contracts/limits'
import { wordsIn } from '@voxscribe/contracts/text'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { Button, TextLink } from '../ui/action/button.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { messageOf } from '../ui/feedback/toast.ts'
import { day } from '../ui/figures.ts'

/** Fewer words without a question mark are a search. */
const WORDS_OF_A_QUESTION = 3

export const isQuestion = (search: string): boolean =>
  /[?？؟]/.test(search) || wordsIn(search).length >= WORDS_OF_A_QUESTION

const HOUR_MS = 3_600_000

type Within = Partial<Record<'tag' | 'from' | 'to' | 'conversation', string>>

const given = (within: Within): Within =>
  Object.fromEntries(Object.entries(within).filter(([, value]) => value))

/** Returns the last few other questions that were answered within the hour. They are kept only in the page's memory. */
function earlierIn(queries: QueryClient, conversation: string | undefined, question: string): string[] {
  return queries
    .getQueryCache()
    .findAll({ queryKey: ['answer', conversation ?? null] })
    .filter(({ state }) => state.data && state.dataUpdatedAt > Date.now() - HOUR_MS)
    .sort((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt)
    .map(({ queryKey }) => queryKey[2] as string)
    .filter(each => each !== question)
    .slice(-EARLIER_QUESTIONS)
}

/** The answer to a question, once it is asked. It stays cached while the person opens a quoted note. */
export function useAnswer(question: string, within: Within) {
  const queries = useQueryClient()
  const { conversation = null, ...notes } = within
  return useQuery({
    queryKey: ['answer', conversation, question, notes],
    async queryFn() {
      const earlier = [...new Set(earlierIn(queries, within.conversation, question))]
      return (await call('ask', { body: { question, ...given(within), ...(earlier.length && { earlier }) } }))
        .data
    },
    enabled: false,
    retry: false,
    gcTime: HOUR_MS,
  })
}

/** The closest passages, which are shown at once and stay if the model fails. */
function useNearest(question: string, within: Within, isAsked: boolean) {
  const hasModel = useConfig().data?.textModel ?? false
  return useQuery({
    queryKey: ['nearest', question, within],
    queryFn: async () =>
      (await call('ask', { body: { question, ...given(within), passagesOnly: true } })).data.passages,
    enabled: hasModel && isAsked,
    retry: false,
    staleTime: HOUR_MS,
  })
}

/** Offers to answer the typed search from the notes, and shows the answer with its quotes. */
export function AskNotes({ question, within }: { question: string; within: Within }) {
  const answer = useAnswer(question, within)
  const nearest = useNearest(question, within, answer.isFetching)
  const isNew = answer.data && !answer.isFetching
  return (
    <section aria-label={i18n.t('Your question')} className="mt-3 grid gap-3">
      <Button
        variant="secondary"
        className="justify-self-start"
        busy={answer.isFetching}
        onClick={() => answer.refetch()}
      >
        {i18n.t('Ask your notes')}
      </Button>
      <div role="status" className="empty:hidden">
        {isNew && <Answer {...answer.data} />}
        {isNew && <QuestionsLeft {...answer.data} />}
      </div>
      {answer.error && !answer.isFetching && (
        <Banner tone="error">{messageOf(answer.error, i18n.t('We couldn’t answer this question.'))}</Banner>
      )}
      {!isNew && (nearest.data?.length ?? 0) > 0 && (
        <div className="rounded-card border border-line bg-surface p-4">
          <Nearest of={nearest.data!} />
        </div>
      )}
    </section>
  )
}

const QuestionsLeft = ({ left }: Answered) =>
  left !== null && left <= FEW_LEFT ? (
    <p className="mt-2 text-soft text-sm">
      {i18n.t('{left, plural, one {# more question or text today} other {# more questions or texts today}}', {
        left,
      })}
    </p>
  ) : null

const Answer = ({ found, answer, passages }: Answered) =>
  found ? (
    <div className="rounded-card border border-line bg-surface p-4">
      <ul className="grid gap-4">
        {answer.map(({ text, quotes }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer never changes
          <li key={at}>
            <p dir="auto" className="wrap-anywhere font-medium">
              {text}
            </p>
            <Quotes of={quotes} />
          </li>
        ))}
      </ul>
      <p className="mt-4 text-soft text-xs">{i18n.t('Made by a machine. It may contain mistakes.')}</p>
    </div>
  ) : (
    <div className="rounded-card border border-line bg-surface p-4">
      <p className="mb-2 font-medium">{i18n.t('Your notes don’t say.')}</p>
      {passages.length > 0 && <Nearest of={passages} />}
    </div>
  )

const Nearest = ({ of }: { of: Passage[] }) => (
  <>
    <p className="text-soft">{i18n.t('These come closest:')}</p>
    <Quotes of={of} />
  </>
)

const Quotes = ({ of }: { of: Passage[] }) => (
  <ul className="mt-2 grid gap-2">
    {of.map(passage => (
      <li
        key={`${passage.transcriptionId} ${passage.segment} ${passage.text}`}
        dir="auto"
        className="border-edge border-s-2 ps-3"
      >
        <blockquote className="wrap-anywhere">{passage.text}</blockquote>
        <p className="wrap-anywhere text-sm text-soft">
          <TextLink to={addressOf(passage)} state={{ plays: true }}>
            <bdi>{passage.title}</bdi>
          </TextLink>{' '}
          · {day(passage.at)}
        </p>
      </li>
    ))}
  </ul>
)

/** Links to the note at the passage's second, with its words marked. */
function addressOf({ transcriptionId, start, text }: Passage): string {
  const address = new URLSearchParams({ t: String(Math.floor(start)), search: text.slice(0, SEARCH_MAX) })
  return `/transcriptions/${transcriptionId}?${address}`
}
