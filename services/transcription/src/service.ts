import { MediaReceived } from '@voxscribe/contracts/events'
import { api } from '@voxscribe/contracts/http'
import { settledWithin } from '@voxscribe/messaging'
import {
  boundedFetch,
  defineService,
  deleteLeftovers,
  implement,
  openBlobs,
  temporaryFolder,
} from '@voxscribe/service'
import { openSpeech } from '@voxscribe/speech'
import { createHandlers } from './api/handlers.ts'
import { internalRoutes } from './api/internal-routes.ts'
import { createRules } from './api/note-calls.ts'
import { createOnNoteCommand } from './api/on-note-command.ts'
import { createPreviews } from './api/preview.ts'
import { transcriptionRoutes } from './api/routes.ts'
import { todoRoutes } from './api/todos.ts'
import { createTries } from './api/tries.ts'
import { type Conversations, createConversations } from './conversations/conversations.ts'
import { createConversationExports } from './conversations/out/exporting.ts'
import { conversationRoutes, IMPORTS } from './conversations/routes.ts'
import { type ConversationSharing, createConversationSharing } from './conversations/sharing.ts'
import { exportOfAccountRoute } from './export/export-account.ts'
import { createOneExport } from './export/one-export.ts'
import { createQuoting } from './export/quote.ts'
import { createOwnWords, ownWordsRoutes } from './note/own-words.ts'
import { createOperatorCalls } from './operators/calls.ts'
import { createLive } from './pages/live.ts'
import { createSamples } from './pages/sample/sample.ts'
import { sharedRoutes } from './pages/shared-routes.ts'
import { engineMetrics as metrics } from './queue/engine-metrics.ts'
import { transcriptionSettings } from './settings.ts'
import { askRoutes } from './text/ask.ts'
import { formRoutes } from './text/forms.ts'
import { openWork } from './workers.ts'

/** For writing the release of what the drain has broken off. */
const RELEASE_MS = 2_000

/** Turns stored audio into text, and keeps the texts. */
export const transcriptionService = defineService({
  name: 'transcription',
  settings: transcriptionSettings,
  async build({ settings, documents, log, rateLimits, broadcast, onBroadcast, closed }) {
    const blobs = openBlobs(settings)
    // First of all: the disk budget is a share of what is free.
    await deleteLeftovers()
    const around = { files: blobs, temporaryFolder, boundedFetch, log, metrics }
    const speech = await openSpeech(settings, around)
    const now = () => new Date()
    const live = createLive({ broadcast, onBroadcast, closed })
    let conversations: Conversations | undefined
    let chatSharing: ConversationSharing | undefined
    const changed: typeof live.changed = note => {
      live.changed(note)
      conversations?.noteChanged(note)
    }
    const ownWords = createOwnWords(documents)
    const { of: ownWordsOf } = ownWords
    const parts = { documents, rateLimits, ownWords, live: { changed }, now, log, broadcast }
    const work = await openWork({ blobs, settings, speech, ...parts })
    const { notes } = work
    const { engines } = speech
    const { PUBLIC_URL: publicUrl, NOTE_LEASE: leaseMs } = settings
    const exports = createOneExport(documents, leaseMs)
    const beginExport = exports.begin
    const samples = createSamples(documents)
    const rules = createRules({
      work,
      samples,
      voices: speech.voices,
      blobs,
      closed,
      beginExport,
      ownWordsOf,
      rateLimits,
      publicUrl,
      conversationBy: async share => (await chatSharing?.by(share)) ?? null,
      hasConversations: async userId => (await conversations?.store.has(userId)) ?? false,
    })
    const { remove } = rules.deletion
    const everyMs = settings.SWEEP_EVERY
    const chats = createConversations({ documents, notes, remove, now, log, everyMs })
    conversations = chats
    const { shares } = notes
    const chatLinks = createConversationSharing({ conversations: chats, shares, closed, publicUrl })
    chatSharing = chatLinks
    const chatExports = createConversationExports({ conversations: chats, blobs, beginExport, publicUrl })
    const perAddress = rateLimits('shared-address', settings.RATE_LIMIT_SHARED)
    const quoting = createQuoting({ notes, blobs, cut: speech.cut, beginExport, log })
    const { isIdle } = work.loop
    const previews = createPreviews({ ...speech, isIdle, ownWordsOf, rateLimits })
    const tries = createTries({ previews, engines, budget: work.budget, isIdle, rateLimits, settings })
    const commands = createOnNoteCommand({ ...rules, documents, leaseMs, now })
    const handlers = createHandlers({
      ...work,
      deletion: rules.deletion,
      belonging: chats.belonging,
      publicUrl,
      sells: settings.PLANS,
    })
    return {
      handlers: {
        ...handlers,
        async UserRegistered({ data }) {
          const sample = await samples.give(data)
          if (sample) live.changed(sample)
        },
        NoteCommandReceived: commands.onNoteCommand,
        AnswerSent: event => (event.data.searchId ? commands.answered(event.data) : notes.answered(event)),
      },
      erase: async userId => exports.end(userId),
      health: { 'media store': blobs.health },
      admin: createOperatorCalls(
        { model: notes.model, engines: () => engines.ladder(), dataDir: settings.DATA_DIR },
        now,
      ),
      routes: [
        ...transcriptionRoutes({
          ...rules,
          ...{ blobs, engines, live, closed, beginExport, quoting, publicUrl, rateLimits, log },
        }),
        ...conversationRoutes({
          conversations: chats,
          exports: chatExports,
          sharing: chatLinks,
          imports: rateLimits('conversation-imports', IMPORTS),
          perAddress,
        }),
        ...todoRoutes(notes),
        ...askRoutes(rules.ask, closed),
        ...formRoutes(work.forms),
        ...ownWordsRoutes(ownWords, engines),
        ...sharedRoutes(rules.sharing, perAddress),
        previews.route,
        tries.route,
        implement(api.noteReceived, async ({ body }) => {
          await handlers.MediaReceived(MediaReceived.parse(body))
          return { data: null }
        }),
        ...internalRoutes(work, engines, {
          speakers: speech.voices.isHere,
          preview: previews.isOn,
          try: tries.isOn,
        }),
        exportOfAccountRoute({
          notes,
          sharing: rules.sharing,
          blobs,
          beginExport,
          ownWordsOf,
          formsOf: work.forms.of,
          conversationsOf: userId => chatExports.allOf(userId),
        }),
      ],
      onBroadcast: work.onBroadcast,
      accessEnded: live.accountChanged,
      hangUp() {
        previews.stop()
        live.close()
      },
      jobs: [
        ...work.jobs,
        ...chats.jobs,
        { name: 'delete-leftovers', everyMs: settings.SWEEP_EVERY, run: deleteLeftovers },
      ],
      async drain() {
        previews.stop()
        work.stop(settings.DRAIN_TIMEOUT)
        await settledWithin(settings.DRAIN_TIMEOUT + RELEASE_MS, work.settled())
      },
      stopping() {
        work.stop()
        speech.stop()
      },
      async close() {
        await work.settled()
        await speech.close()
      },
    }
  },
})
