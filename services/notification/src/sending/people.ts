import { DEFAULT_LANGUAGE, LATE_ANSWERS } from '@voxscribe/contracts/business'
import { Chat, type Envelope, type Source } from '@voxscribe/contracts/events'
import { isLanguage, languageOfCountry } from '@voxscribe/contracts/languages'
import { countryOfNumber } from '@voxscribe/contracts/phone-lines'
import { type I18n, inTimeZone, uiLanguageOf } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { type Documents, keepNewest, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** Data needed to write to a person. */
const Person = z.object({
  _id: z.string(),
  email: z.string(),
  /** The last address that was proved; unset: `email`. */
  provedEmail: z.string().optional(),
  /** Token in the link that proves `email`. */
  confirmToken: z.string().optional(),
  firstName: z.string(),
  uiLanguage: z.string(),
  timeZone: z.string().optional(),
  country: z.string().optional(),
  lateAnswers: z.enum(LATE_ANSWERS).optional(),
  phone: z.string().nullable(),
  phoneClaimedAt: z.string(),
  revision: z.number(),
  /** The language id expected in notes, or `auto`. */
  language: z.string(),
  /** Languages of the last notes from a chat, newest last; the same one again only once a day. */
  spoken: z.array(z.string()).optional(),
  /** Whether they have linked a chat and the next reply says so. */
  linked: z.boolean().optional(),
  /** The chat of their last note. */
  chat: Chat.extend({ at: z.date() }).nullish(),
})
export type Person = z.infer<typeof Person>

const LAST_NOTES = 5
const REWRITE_AFTER_MS = 86_400_000
/** A sign-up event rarely takes longer to arrive. */
const JUST_MS = 60_000
/** An account that is still unknown this long after one of its events counts as deleted. */
const GONE_AFTER_MS = 86_400_000

/** Returns the texts in a person's language, with dates in their time zone and country's style; English by default. */
export const i18nOf = (person?: Pick<Person, 'uiLanguage' | 'timeZone' | 'country'> | null): I18n =>
  inTimeZone(i18nFor(uiLanguageOf(person?.uiLanguage ?? '') ?? 'en', person?.country), person?.timeZone)

/** Returns other possible languages of a note: those of the person's last notes, profile, country and app. */
export function otherLanguagesOf(person: Person, taken: string): string[] {
  const { spoken = [], language, phone, uiLanguage } = person
  const country = phone ? countryOfNumber(phone) : undefined
  const likely = [...spoken.toReversed(), language, languageOfCountry(country), uiLanguage]
  return [...new Set(likely)].filter(
    id => id !== undefined && isLanguage(id) && id !== DEFAULT_LANGUAGE && id !== taken,
  ) as string[]
}

/** Languages of most people who send voice notes. */
const MOST_USED = ['en', 'es', 'pt']

/** Returns at least two possible languages of a note, besides the one that it was transcribed in. */
export const languagesToChoose = (person: Person | null, taken: string): string[] => [
  ...new Set([...(person ? otherLanguagesOf(person, taken) : []), ...MOST_USED].filter(id => id !== taken)),
]

/**
 * Returns a stranger's texts, in the language of the messenger, or of the country of number or user id (`BR.1349…`).
 */
export function i18nOfStranger({ address, language }: Pick<Source, 'address' | 'language'>): I18n {
  const country = /^[A-Z]{2}(?=\.)/.exec(address)?.[0] ?? countryOfNumber(address)
  return i18nFor(uiLanguageOf(language ?? languageOfCountry(country) ?? '') ?? 'en', country)
}

export function createPeople(documents: Documents) {
  const people = documents.model<Person>(
    'people',
    schemaOf(Person)
      .index({ phone: 1 })
      .index({ 'chat.address': 1 }, { sparse: true })
      .index({ 'chat.numberId': 1 }, { sparse: true }),
    { owner: '_id' },
  )

  return {
    byId: (id: string) => people.findById(id).lean<Person>(),

    /** The texts in a person's language. */
    i18n: async (id: string): Promise<I18n> => i18nOf(await people.findById(id).lean<Person>()),

    /** Returns the person of an event; null if deleted. Throws, for a retry, while the registration may still come. */
    async of(userId: string, { occurredAt }: Pick<Envelope, 'occurredAt'>): Promise<Person | null> {
      const person = await people.findById(userId).lean<Person>()
      const isGone = Date.now() - Date.parse(occurredAt) > GONE_AFTER_MS
      if (!person && !isGone) throw new Error(`Account ${userId} is not known yet`)
      return person
    },

    /** Finds the person whose last note came from that chat. */
    inChat: ({ channel, address }: Pick<Source, 'channel' | 'address'>) =>
      people.findOne({ 'chat.channel': channel, 'chat.address': address }).lean<Person>(),

    /** Counts the people whose last note was sent to this number of ours. */
    countAt: (numberId: string): Promise<number> => people.countDocuments({ 'chat.numberId': numberId }),

    /** Whether an account claimed the number in the minute before `at`. */
    justClaimed: async (phone: string, at: string): Promise<boolean> => {
      const since = new Date(Date.parse(at) - JUST_MS).toISOString()
      return (await people.exists({ phone, phoneClaimedAt: { $gt: since, $lte: at } })) !== null
    },

    /** Keeps the newest revision, regardless of the order of events. */
    save: async (person: Person): Promise<void> => {
      const { _id, phone, revision } = person
      // The chat belonged to the old number, which may be someone else's by now.
      await people.updateOne({ _id, phone: { $ne: phone }, revision: { $lt: revision } }, { chat: null })
      await keepNewest(people, 'revision', person)
    },

    /** Records that the next reply should say that the chat is linked, or that one has said so. */
    sayLinked: async (_id: string, linked: boolean): Promise<void> => {
      await people.updateOne({ _id }, { linked })
    },

    /** Deletes a chat that turned out to be someone else's. */
    forgetChat: async (_id: string): Promise<void> => {
      await people.updateOne({ _id }, { chat: null })
    },

    /** Records a person's newest chat and its language, if any. If both are unchanged in `known`, writes once a day. */
    async rememberChat(
      _id: string,
      source: Source,
      occurredAt: string,
      language = DEFAULT_LANGUAGE,
      known?: Person | null,
    ): Promise<void> {
      const at = new Date(occurredAt)
      const { chat, spoken: languages = [] } = known ?? {}
      const { channel, address, numberId, topicId } = source
      const isSameChat =
        chat?.channel === channel &&
        chat.address === address &&
        chat.numberId === numberId &&
        chat.topicId === topicId
      const isSameLanguage = language === DEFAULT_LANGUAGE || languages.at(-1) === language
      if (isSameChat && isSameLanguage && at.getTime() - chat.at.getTime() < REWRITE_AFTER_MS) return
      const older = { $or: [{ chat: null }, { 'chat.at': { $lt: at } }] }
      const spoken = { $each: [language], $slice: -LAST_NOTES }
      await people.updateOne(
        { _id, ...older },
        {
          $set: { chat: { ...Chat.parse(source), at } },
          ...(language === DEFAULT_LANGUAGE ? {} : { $push: { spoken } }),
        },
      )
    },
  }
}
export type People = ReturnType<typeof createPeople>
