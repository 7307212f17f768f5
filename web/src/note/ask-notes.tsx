import { useMutation } from '@tanstack/react-query'
import type { Answered, Passage } from '@voxscribe/contracts/http'
import { EARLIER_QUESTIONS, FEW_LEFT, SEARCH_MAX } from '@voxscribe/contracts/limits'
import { wordsIn } from '@voxscribe/contracts/text'
import { useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { Button } from '../ui/action/button.tsx'
import { TextLink } from '../ui/action/text-link.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { messageOf } from '../ui/feedback/error-message.ts'
import { day } from '../ui/figures.ts'

/** Fewer words, without a question mark, are a search. */
const WORDS_OF_A_QUESTION = 3

export const isQuestion = (search: string): boolean =>
  /[?？؟]/.test(search) || wordsIn(search).length >= WORDS_OF_A_QUESTION

const HOUR_MS = 3_600_000

interface Asked {
  question: string
  at: number
}

/** The questions of a page within the hour, for those that follow; in its memory only. */
export function useEarlier() {
  const [asked, setAsked] = useState<Asked[]>([])
  return {
    earlier: () => asked.filter(({ at }) => at > Date.now() - HOUR_MS).map(({ question }) => question),
    remember: (question: string) =>
      setAsked(before => [...before, { question, at: Date.now() }].slice(-EARLIER_QUESTIONS)),
  }
}

interface AskNotesProps extends ReturnType<typeof useEarlier> {
  question: string
  within: Partial<Record<'tag' | 'from' | 'to' | 'conversation', string>>
  onAnswer?(): void
}

/** Offers to answer what was typed into the search from the notes, and shows the answer with its quotes. */
export function AskNotes({ question, within, earlier, remember, onAnswer }: AskNotesProps) {
  const asking = useMutation({
    async mutationFn() {
      const given = Object.fromEntries(Object.entries(within).filter(([, value]) => value))
      const before = earlier()
      const body = { question, ...given, ...(before.length && { earlier: before }) }
      return (await call('ask', { body })).data
    },
    onSuccess() {
      remember(question)
      onAnswer?.()
    },
  })
  return (
    <section aria-label={i18n.t('Your question')} className="mt-3 grid gap-3">
      <Button
        variant="secondary"
        className="justify-self-start"
        busy={asking.isPending}
        onClick={() => asking.mutate()}
      >
        {i18n.t('Ask your notes')}
      </Button>
      <div role="status" className="empty:hidden">
        {asking.data && <Answer {...asking.data} />}
        {asking.data && <Left {...asking.data} />}
      </div>
      {asking.error && (
        <Banner tone="error">{messageOf(asking.error, i18n.t('We couldn’t answer this question.'))}</Banner>
      )}
    </section>
  )
}

const Left = ({ left }: Answered) =>
  left !== null && left <= FEW_LEFT ? (
    <p className="mt-2 text-soft text-sm">
      {i18n.t('{left, plural, one {# more question or text today} other {# more questions or texts today}}', {
        left,
      })}
    </p>
  ) : null

const Answer = ({ found, answer, passages }: Answered) =>
  found ? (
    <ul className="grid gap-4 rounded-card border border-line bg-surface p-4">
      {answer.map(({ text, quotes }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer never changes
        <li key={at}>
          <p dir="auto" className="font-medium">
            {text}
          </p>
          <Quotes of={quotes} />
        </li>
      ))}
    </ul>
  ) : (
    <div className="rounded-card border border-line bg-surface p-4">
      <p className="font-medium">{i18n.t('Your notes don’t say.')}</p>
      {passages.length > 0 && (
        <>
          <p className="mt-2 text-soft">{i18n.t('These come closest:')}</p>
          <Quotes of={passages} />
        </>
      )}
    </div>
  )

const Quotes = ({ of }: { of: Passage[] }) => (
  <ul className="mt-2 grid gap-2">
    {of.map(passage => (
      <li
        key={`${passage.transcriptionId} ${passage.segment} ${passage.text}`}
        className="border-edge border-s-2 ps-3"
      >
        <blockquote dir="auto" className="wrap-anywhere">
          {passage.text}
        </blockquote>
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

/** The note at the second of a passage, whose words are marked. */
function addressOf({ transcriptionId, start, text }: Passage): string {
  const address = new URLSearchParams({ t: String(Math.floor(start)), search: text.slice(0, SEARCH_MAX) })
  return `/transcriptions/${transcriptionId}?${address}`
}
