/** The most of each kind, and why it is needed. A feature that makes every note dearer says so here. */
export type Budget = Record<string, readonly [most: number, why: string]>

/** Commands of one ordinary note by `service.collection command`, with the reason for each. */
export const COMMANDS: Budget = {
  'ingestion.accounts find': [6, 'whose number it is, asked by the webhook, the download and the answer'],
  'ingestion.senders find': [1, 'whether the number is proved'],
  'ingestion.receipts insert': [1, 'the message is ours from here on'],
  'ingestion.receipts update': [1, 'its events are published'],
  'ingestion.receipts find': [1, 'a note of a known sender has a receipt already'],
  'ingestion.storing update': [1, 'a file without a record is found after a crash'],
  'ingestion.storing delete': [1, 'it has its record'],
  'ingestion.media insert': [1, 'the stored file, with its event'],
  'ingestion.media find': [2, 'what became of the download; when its text came'],
  'ingestion.media update': [2, 'its event is published; the day from which audio is kept'],
  'ingestion.closed_accounts find': [2, 'an erased account gets nothing'],
  'transcription.closed_accounts find': [3, 'an erased account gets nothing'],
  'billing.closed_accounts find': [2, 'an erased account gets nothing'],
  'notification.closed_accounts find': [3, 'an erased account gets nothing'],
  'transcription.transcriptions insert': [1, 'the note'],
  'transcription.transcriptions find': [
    5,
    'same audio, the note itself for each step, the language of the last notes',
  ],
  'transcription.transcriptions findAndModify': [5, 'claims and outcomes of two steps'],
  'transcription.transcriptions update': [2, 'its events are published'],
  'transcription.own_words find': [1, 'the words that the engine gets'],
  'billing.accounts find': [5, 'account and number, to reserve and to settle'],
  'billing.accounts update': [3, 'reserved, settled, published'],
  'billing.ledger find': [1, 'whether the note was charged'],
  'billing.ledger update': [1, 'its line'],
  'notification.people find': [1, "the person's language and chat"],
  'notification.people update': [1, 'the chat of the newest note'],
  'notification.answers insert': [1, 'the answer waits until it is sent'],
  'notification.answers find': [1, 'the answers that wait for this chat'],
  'notification.answers update': [2, 'sent; its event is published'],
  'notification.claims find': [1, 'whether a notice was given today'],
  'notification.hooks find': [2, 'whom to call; hooks that a dead process holds'],
  'notification.hooks findAndModify': [2, 'the hook that is due next'],
  'notification.dispatches insert': [1, 'the message is being sent'],
  'notification.dispatches update': [1, 'it was sent'],
}

/** Messages of one ordinary note on RabbitMQ, with one process of each service or several. */
export const MESSAGES: Budget = {
  publish: [12, 'eight events on its way, and what pages and other processes are told'],
  deliver: [23, 'each event to its receivers, and broadcasts to every process'],
}

/** Commands a second of one process that has nothing to do: looks for what is due. */
export const IDLE_A_SECOND = 10
