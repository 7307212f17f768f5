import {
  ChatCommandReceived,
  ChatOpened,
  type Envelope,
  type EventOf,
  LanguageChosen,
  NoteCommandReceived,
} from '@voxscribe/contracts/events'
import { TITLE_MAX } from '@voxscribe/contracts/limits'
import { type Reason, reason } from '@voxscribe/contracts/reasons'
import type { Match } from '../senders/bindings.ts'
import { type InboundMessage, receiptId } from '../senders/inbound.ts'
import { type Draft, originOf, type Receipts, refused } from '../senders/receipts.ts'

/** Loaded with the first text, because it reads and sorts the words of all languages. */
export const commands = () => import('./commands.ts')

const NOTHING_TO_HEAR = reason('nothing_to_hear')
const UNAVAILABLE = reason('message_unavailable')

/** Returns why a message without a note and without text is refused; undefined for all others. */
export const refusalOf = ({ isSoundless, isUnavailable }: InboundMessage): Reason | undefined =>
  isUnavailable ? UNAVAILABLE : isSoundless ? NOTHING_TO_HEAR : undefined

/** Returns the event of a command that isn't about a note, or of the choice of a language. */
export const chosenOrAsked = (
  {
    userId,
    command,
    uiLanguage,
    source,
  }: Pick<EventOf<'MessageUnderstood'>['data'], 'userId' | 'command' | 'uiLanguage' | 'source'>,
  draft: Draft,
): Envelope =>
  uiLanguage
    ? LanguageChosen.create({ userId, uiLanguage, source }, originOf(draft, 'language-chosen'))
    : ChatCommandReceived.create({ userId, command, source }, originOf(draft, 'chat-command'))

/** Returns the events of a known sender's message without a note or link code; [] if it asks for nothing. */
export async function eventsAskedBy(
  message: InboundMessage,
  { account, proved }: Match,
  draft: Draft,
  { receipts, hasTextModel }: { receipts: Receipts; hasTextModel: boolean },
): Promise<Envelope[]> {
  if (message.media.length) return []
  const why = refusalOf(message)
  if (why) return [refused(draft, why, account._id)]
  const { text, quoted, quotesOwn, isForwarded } = message
  const isQuoting = quoted !== undefined
  const { commandsIn, LETTERS_MAX } = await commands()
  const said: ReturnType<typeof commandsIn> = isForwarded
    ? ['hint']
    : commandsIn(text ?? '', { language: account.uiLanguage, isQuoting, hasTextModel })
  const mayBeUnclear = hasTextModel && text && text.length <= LETTERS_MAX && !isForwarded
  const unclear: typeof said = mayBeUnclear ? [{ name: 'unclear', text }] : said
  const events = (said[0] === 'hint' ? unclear : said).map((command, nth) => eventOf(command, nth))
  return (await Promise.all(events)).filter(event => event !== undefined)

  async function eventOf(read: (typeof said)[number], nth: number): Promise<Envelope | undefined> {
    const command: typeof read = read === 'hint' && isQuoting ? { name: 'offer' } : read
    const [userId, { source, keys }] = [account._id, draft]
    if (!command)
      return text ? ChatOpened.create({ userId, source }, originOf(draft, 'chat-opened')) : undefined
    if (typeof command === 'string') return chosenOrAsked({ userId, command, source }, draft)
    if (command.name === 'language') {
      const { uiLanguage } = command
      if (!uiLanguage) return refused(draft, reason('language_unknown'), userId)
      if (!proved) return refused(draft, reason('not_proved'), userId)
      return LanguageChosen.create({ userId, uiLanguage, source }, originOf(draft, 'language-chosen'))
    }
    if (command.name === 'title' && command.title.length > TITLE_MAX)
      return refused(draft, reason('title_too_long'), userId)
    const quotedId = quoted && receiptId(source.channel, quoted)
    const noteId = await receipts.noteOf(userId, keys, quotedId)
    const { uiLanguage } = account
    const from = proved ? source : { ...source, claimed: true }
    const data = { userId, command, quoted, quotesOwn, noteId, uiLanguage, source: from }
    return NoteCommandReceived.create(data, originOf(draft, `note-command${nth ? ` ${nth}` : ''}`))
  }
}
