import type { Conversation, ConversationRow } from '@voxscribe/contracts/http'
import { type ConversationRecord, rootsOf, type StoredNote } from './store.ts'

/** Formats a time as ISO 8601 in UTC, to the second: messengers give no more. */
export const timeOf = (at: number | Date): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** Returns the people to show: joined people count as one, with the messages of all. */
function peopleOf(people: ConversationRecord['people']): ConversationRow['people'] {
  const shown = new Map(
    people.filter(({ sameAs }) => !sameAs).map(({ id, name }) => [id, { id, name, messages: 0 }]),
  )
  const rootOf = rootsOf(people)
  for (const { id, messages } of people) {
    const person = shown.get(rootOf(id))
    if (person) person.messages += messages
  }
  return [...shown.values()]
}

export const presentRow = (conversation: ConversationRecord): ConversationRow => ({
  id: conversation._id,
  source: conversation.source,
  name: conversation.name,
  people: peopleOf(conversation.people),
  me: conversation.me && rootsOf(conversation.people)(conversation.me),
  from: timeOf(conversation.from),
  to: timeOf(conversation.to),
  messages: conversation.messages,
  dayFirst: conversation.dayFirst,
  ambiguous: conversation.ambiguous,
  timeZone: conversation.timeZone,
  language: conversation.language,
  version: conversation.version,
  createdAt: conversation.createdAt.toISOString(),
})

/** Presents a conversation. `idOf`: returns the note made from a recording. */
export function presentConversation(
  conversation: ConversationRecord,
  notes: StoredNote[],
  missing: string[],
  idOf: (file: string) => string | undefined,
): Conversation {
  const rootOf = rootsOf(conversation.people)
  const shown = notes.map(({ file, bytes, at, person }) => ({
    file,
    bytes,
    at: timeOf(at),
    personId: person && rootOf(person),
    transcriptionId: idOf(file) ?? null,
  }))
  return { ...presentRow(conversation), notes: shown, missing }
}
