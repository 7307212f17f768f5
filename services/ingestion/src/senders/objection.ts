import type { Account } from './accounts.ts'

/** No, in the languages of the product: en it es, pt, fr, de, id, hi, ar. */
const NOES = new Set([
  'no',
  'não',
  'nao',
  'non',
  'nein',
  'tidak',
  'bukan',
  'नहीं',
  'नही',
  'nahin',
  'nahi',
  'لا',
])

/** How long after the question a NO counts as its answer. */
const ANSWER_MS = 7 * 86_400_000

/** Whether a text is NO and nothing else, in any case and punctuation. */
export const saysNo = (text: string | null): boolean =>
  NOES.has(
    (text ?? '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}]/gu, ''),
  )

/**
 * Whether the number's owner was asked within 7 days about the account's current claim, or about a later one, whose
 * event is still on its way.
 */
export const mayObject = ({ asked, claimedAt }: Account, now: Date): boolean =>
  asked !== undefined &&
  asked.claimedAt.getTime() >= claimedAt.getTime() &&
  now.getTime() - asked.at.getTime() <= ANSWER_MS
