import type { Transcription } from '@voxscribe/contracts/http'
import { isKnown, noticeOf, sentenceOf } from '@voxscribe/contracts/reasons'
import { Link } from 'react-router-dom'
import { i18n, whereReaderIs } from '../language/i18n.ts'
import { TextLink } from '../ui/action/button.tsx'

/** Placeholder in a sentence for the link to the plans. */
const PLANS = '\u0000'

/** The failure in the reader's language, or in the server's English if the page doesn't know the reason. */
export function Failure({ error, failure }: Pick<Transcription, 'error' | 'failure'>) {
  if (!failure || !isKnown(failure))
    return error || i18n.t('This note couldn’t be transcribed. Please send it again.')
  const facts = { ...failure.facts, ...(failure.facts?.plans !== undefined && { plans: PLANS }) }
  const [before, after] = sentenceOf(whereReaderIs(), { ...failure, facts }).split(PLANS)
  if (after === undefined) return before
  return (
    <>
      {before}
      <Link to="/pricing" className="underline underline-offset-3">
        {i18n.t('Pricing')}
      </Link>
      {after}
    </>
  )
}

/** The notice in the reader's language, or in the server's English if the page doesn't know a reason. */
export const noticeIn = ({ notices, notice }: Pick<Transcription, 'notices' | 'notice'>): string | null =>
  notices?.every(isKnown) ? noticeOf(whereReaderIs(), notices) : notice

/** A notice, which links to the other note if it is about one. */
export const Notice = ({ sameAs, children }: { sameAs: string | null; children: string }) =>
  sameAs ? <TextLink to={`/transcriptions/${sameAs}`}>{children}</TextLink> : children
