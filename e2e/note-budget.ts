/** The most of each kind, and why it is needed. A feature that makes every note dearer says so here. */
export type Budget = Record<string, readonly [most: number, why: string]>

/**
 * Commands of one ordinary note by `service.collection command`, with the reason for each: what was measured on 28 November
 * 2026, in one process and apart, and 15 %.
 */
export const COMMANDS: Budget = {
  'ingestion.accounts find': [
    3.5,
    'whose number it is, with its choices (webhook); those about audio since, when the text is there',
  ],
  'ingestion.senders find': [1, 'whether the number is proved'],
  'ingestion.receipts insert': [1, 'the message is ours from here on'],
  'ingestion.receipts update': [1, 'its event is published'],
  'ingestion.storing update': [1, 'a file without a record is found after a crash'],
  'ingestion.storing delete': [1, 'it has its record'],
  'ingestion.media insert': [1, 'the stored file, with its event'],
  'ingestion.media find': [
    1,
    'what became of an earlier try: else a redelivery would count for the day once more',
  ],
  'ingestion.media update': [2, 'its event is published; the day from which audio is kept'],
  'transcription.transcriptions insert': [1, 'the note, claimed to be measured'],
  'transcription.transcriptions find': [
    8.6,
    'same audio; the person’s last turns; notes that wait for this one; the language of the last notes, where the engine names none; the oldest that waits, every 10 s',
  ],
  'transcription.transcriptions findAndModify': [
    10.4,
    'minutes asked for; claimed with the minutes; its text',
  ],
  'transcription.clocks find': [2.3, 'the turn of a new note, to be measured and to be heard'],
  'transcription.clocks update': [2.3, 'a claim sets the clock'],
  'transcription.transcriptions update': [3.5, 'its answer, which may be quoted; its events are published'],
  'transcription.conversations find': [
    1.3,
    'whether its person has chats, whose notes an open list leaves out',
  ],
  'transcription.own_words find': [1, 'the words that the engine gets'],
  'billing.accounts find': [
    7.2,
    'the account with what its number has used elsewhere: to reserve, and for what is left when the answer goes',
  ],
  'billing.accounts update': [3, 'reserved, settled, published'],
  'billing.ledger find': [1, 'whether the note was charged: else a repeat would hold its minutes for ever'],
  'billing.ledger update': [1, 'the line of the note before'],
  'notification.people find': [1, "the person's language and chat"],
  'notification.people update': [1, 'the chat of the newest note, once a day'],
  'notification.answers insert': [1, 'the answer waits until it is sent'],
  'notification.answers find': [1, 'whether answers wait for this chat'],
  'notification.claims find': [1, 'whether the note was deleted meanwhile'],
  'notification.hooks find': [1, 'whom to call'],
  'notification.dispatches insert': [1, 'the message is being sent'],
  'notification.dispatches update': [2, 'it was sent, with the event; its event is published'],
}

/** Messages of one ordinary note on RabbitMQ, with one process of each service or several. */
export const MESSAGES: Budget = {
  publish: [12.6, 'its events; its changes, which the broker drops where no page or call waits for them'],
  deliver: [14, 'each event to its receivers: the announcement has two, the text three'],
}

/**
 * Syncs of one ordinary note to the disk, by file, in one process with its own database: each step of a note is on the
 * disk before the next one begins. Syncs by SQLite, which copies its log every two seconds, come by time.
 */
export const SYNCS: Budget = {
  'embedded-mongo.sqlite-wal': [
    28,
    'received; file begun; file stored; note; minutes asked for; line before; reserved; claimed; text; its day; settled; answer; being sent; sent; answered; published events, all outboxes together',
  ],
}

/** Commands a second of one process that has nothing to do: looks for what is due, as many as of several. */
export const IDLE_A_SECOND = 11.7
