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

/** How long after the question a no is its answer, and not a word in a chat. */
const ANSWER_MS = 7 * 86_400_000

/** Whether a text says no and nothing else, in any case, with whatever signs. */
export const saysNo = (text: string | null): boolean =>
  NOES.has(
    (text ?? '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}]/gu, ''),
  )

/**
 * Whether the person behind the number was asked about the claim that the account makes now, and may still object. A
 * question about a later claim counts, too: the news of that claim are still on their way.
 */
export const mayObject = ({ asked, claimedAt }: Account, now: Date): boolean =>
  asked !== undefined &&
  asked.claimedAt.getTime() >= claimedAt.getTime() &&
  now.getTime() - asked.at.getTime() <= ANSWER_MS
