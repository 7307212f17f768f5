/** Maximum count of each kind, and the reason. A feature that makes every note more expensive is justified here. */
export type Budget = Record<string, readonly [most: number, why: string]>

/**
 * Commands of one ordinary note by `service.collection command`, with the reason for each: the counts of November 28,
 * 2026, in one process and in several, plus 15 %.
 */
export const COMMANDS: Budget = {
  'ingestion.accounts find': [
    3.5,
    'the account of the number with its settings (webhook); its audio settings again once there is a text',
  ],
  'ingestion.senders find': [1, 'whether the number is verified'],
  'ingestion.receipts insert': [1, 'the message is stored before it is acknowledged'],
  'ingestion.receipts update': [1, 'its event has been published'],
  'ingestion.storing update': [1, 'lets a file without a record be found after a crash'],
  'ingestion.storing delete': [1, 'the file has its record'],
  'ingestion.media insert': [1, 'the stored file, with its event'],
  'ingestion.media find': [
    1,
    'result of an earlier try: otherwise a redelivery would count twice for the day',
  ],
  'ingestion.media update': [
    2,
    'its event has been published; the date of its text, which the audio setting needs',
  ],
  'transcription.transcriptions insert': [1, 'the note, already claimed for measuring'],
  'transcription.transcriptions find': [
    8.6,
    'notes with the same audio; the person’s last turns; notes that wait for this one; the language of recent notes if the engine returns none; the oldest waiting note, every 10 s',
  ],
  'transcription.transcriptions findAndModify': [
    10.4,
    'requests its minutes; claimed once they are reserved; its text',
  ],
  'transcription.clocks find': [2.3, 'the turn of a new note, for measuring and for recognition'],
  'transcription.clocks update': [2.3, 'a claim advances the clock'],
  'transcription.transcriptions update': [
    3.5,
    'the id of its answer, which may be quoted; its events have been published',
  ],
  'transcription.conversations find': [
    1.3,
    'whether the person has chats, whose notes an open list excludes',
  ],
  'transcription.own_words find': [1, 'the person’s own words for the engine'],
  'billing.accounts find': [
    7.2,
    'the account, with the usage of its number in other accounts: for the reservation, and for the balance in the answer',
  ],
  'billing.accounts update': [3, 'reserved, settled, events published'],
  'billing.ledger find': [
    1,
    'whether the note was charged: otherwise a redelivery would reserve its minutes forever',
  ],
  'billing.ledger update': [1, 'the line of the previous note'],
  'notification.people find': [1, 'the person’s language and chat'],
  'notification.people update': [1, 'the chat of the newest note, once a day'],
  'notification.answers insert': [1, 'keeps the answer until it is sent'],
  'notification.answers find': [1, 'whether answers wait for this chat'],
  'notification.claims find': [1, 'whether the note has been deleted'],
  'notification.hooks find': [1, 'the person’s hooks'],
  'notification.dispatches insert': [1, 'marks the message as being sent'],
  'notification.dispatches update': [2, 'it was sent, with its event; the event has been published'],
}

/** Messages of one ordinary note on RabbitMQ, with one process of each service or several. */
export const MESSAGES: Budget = {
  publish: [12.6, 'its events; its changes, which the broker drops unless a page or a call waits for them'],
  deliver: [14, 'each event to its receivers: two for the announcement, three for the text'],
}

/** Commands per second of an idle process, which looks for due work; one process and several do the same. */
export const IDLE_A_SECOND = 11.7
