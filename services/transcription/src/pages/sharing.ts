import {
  api,
  type Conversation,
  type SharedNote,
  type TranscriptionDocument,
} from '@voxscribe/contracts/http'
import {
  type Blobs,
  type ByteRange,
  type ClosedAccounts,
  implement,
  networkOf,
  newSecret,
  type RateLimit,
  type Route,
  refusal,
} from '@voxscribe/service'
import { audioOf } from '../note/played.ts'
import type { NoteRecord } from '../note/record.ts'
import { type ShareRecord, tokenOf } from '../note/shares.ts'
import type { Notes } from '../note/store.ts'
import { presentDocument } from './document.ts'
import { sendAudio } from './send-audio.ts'

/** The same refusal whether a link was ended, has expired or never existed, its note is gone, or its owner blocked. */
const ended = () => refusal('link_ended')

/** Creates links by which people without an account read a note, always with its current text. */
export function createSharing(
  notes: Notes,
  blobs: Blobs,
  closed: Pick<ClosedAccounts, 'has' | 'passwordGenerationOf'>,
  publicUrl: string,
  conversationBy: (share: ShareRecord) => Promise<Conversation | null>,
) {
  const { shares } = notes
  const urlOf = (token: string) => `${publicUrl}/s/${token}`

  async function noteOf(share: ShareRecord | null) {
    const note = share && (await notes.byId(share._id))
    if (!note || note.deletedAt || (await closed.has(note.userId, share.generation))) throw ended()
    return { note, audio: share.audio ? audioOf(note, true) : null }
  }

  return {
    /** Creates a link, which replaces the last one. Throws 404 for another person's note, 409 for one not completed. */
    async begin(id: string, userId: string, days: number, audio: boolean, generation?: number) {
      const begun = generation ?? (await closed.passwordGenerationOf(userId))
      const note = await notes.find(id, userId)
      if (note.status !== 'completed') throw refusal('not_shareable')
      const key = note.audioKey ?? (await notes.keyOf(id, newSecret()))
      if (!key) throw refusal('note_unknown')
      const { token, expiresAt } = await shares.begin(note, key, begun, { days, audio })
      return { note, url: urlOf(token), expiresAt: expiresAt.toISOString() }
    },

    /** Returns the link as the note's owner sees it. Its URL can be derived until it ends. */
    async forNote({ _id, audioKey }: NoteRecord): Promise<TranscriptionDocument['share']> {
      const share = await shares.forNote(_id)
      if (!share || !audioKey) return null
      const { seed, expiresAt, views, audio } = share
      return { url: urlOf(tokenOf(audioKey, seed)), expiresAt: expiresAt.toISOString(), views, audio }
    },

    /** Ends a note's link. Throws 404 for another person's note. */
    async end(id: string, userId: string): Promise<void> {
      await shares.end((await notes.find(id, userId))._id)
    },

    async read(token: string): Promise<SharedNote | { conversation: Conversation }> {
      const share = await shares.viewed(token)
      if (share?.of) {
        const conversation = await conversationBy(share)
        if (!conversation || (await closed.has(share.userId, share.generation))) throw ended()
        return { conversation }
      }
      const { note, audio } = await noteOf(share)
      const document = presentDocument(note, null, null)
      const { title, titleFrom, source, date, text, paragraphs, segments, speakers } = document
      const audioUrl = audio && `/api/shared/${token}/audio`
      return { title, titleFrom, source, date, text, paragraphs, segments, speakers, audioUrl }
    },

    async audio(token: string) {
      const { audio } = await noteOf(await shares.byToken(token))
      if (!audio || !(await blobs.exists(audio.key))) throw ended()
      return { audio, open: (range?: ByteRange) => blobs.read(audio.key, range) }
    },
  }
}
export type Sharing = ReturnType<typeof createSharing>

/** Routes to make links to notes, and to open them without an account. */
export const sharedRoutes = (sharing: Sharing, perAddress: RateLimit): Route[] => [
  implement(api.shareTranscription, async ({ userId, claims, params, body: { days, audio } }) => {
    const { url, expiresAt } = await sharing.begin(params.id, userId, days, audio, claims.generation)
    return { data: { url, expiresAt }, message: 'The link is ready' }
  }),
  implement(api.endShare, async ({ userId, params }) => {
    await sharing.end(params.id, userId)
    return { data: null, message: 'The link has ended' }
  }),
  implement(api.sharedNote, async ({ params, ip }) => {
    await perAddress.count(networkOf(ip))
    return { data: await sharing.read(params.token), headers: { 'cache-control': 'no-store' } }
  }),
  implement(api.sharedAudio, async ({ params, ip }) => {
    await perAddress.count(networkOf(ip))
    const { audio, open } = await sharing.audio(params.token)
    return { data: null, send: response => sendAudio(response, audio, open) }
  }),
]
