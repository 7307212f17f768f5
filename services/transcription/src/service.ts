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
import { createDeleting } from './api/deleting.ts'
import { createHandlers } from './api/handlers.ts'
import { internalRoutes } from './api/internal-routes.ts'
import { createOnNoteCommand } from './api/on-note-command.ts'
import { createPreviews } from './api/preview.ts'
import { transcriptionRoutes } from './api/routes.ts'
import { createRules } from './api/rules.ts'
import { todoRoutes } from './api/todos.ts'
import { createTries } from './api/tries.ts'
import { type Conversations, createConversations } from './conversations/conversations.ts'
import { createConversationExports } from './conversations/out/exporting.ts'
import { conversationRoutes, IMPORTS } from './conversations/routes.ts'
import { createConversationSharing } from './conversations/sharing.ts'
import { exportOfAccountRoute } from './export/export-account.ts'
import { createOneExport } from './export/one-export.ts'
import { createQuoting } from './export/quote.ts'
import { createOwnWords, ownWordsRoutes } from './note/own-words.ts'
import { createOperatorCalls } from './operators/calls.ts'
import { createLive } from './pages/live.ts'
import { createSamples } from './pages/sample/sample.ts'
import { sharedRoutes } from './pages/sharing.ts'
import { engineMetrics as metrics } from './queue/engine-metrics.ts'
import { transcriptionSettings } from './settings.ts'
import { askRoutes } from './text/ask.ts'
import { formRoutes } from './text/forms.ts'
import { openWork } from './work.ts'

/** Time to write the release of work that the drain has aborted. */
const RELEASE_MS = 2_000

/** Turns stored audio into text, and keeps the texts. */
export const transcriptionService = defineService({
  name: 'transcription',
  settings: transcriptionSettings,
  async build({ settings, documents, log, rateLimits, broadcast, onBroadcast, closed }) {
    const { PUBLIC_URL: publicUrl, NOTE_LEASE: leaseMs, SWEEP_EVERY: everyMs } = settings
    const blobs = openBlobs(settings)
    // Must come first: the disk budget is a share of the free space.
    await deleteLeftovers()
    const around = { files: blobs, temporaryFolder, boundedFetch, log, metrics }
    const speech = await openSpeech(settings, around)
    const { engines, voices } = speech
    const live = createLive({ broadcast, onBroadcast, closed })
    const ownWords = createOwnWords(documents)
    const exports = createOneExport(documents, leaseMs)
    const beginExport = exports.begin
    const now = () => new Date()
    const parts = {
      documents,
      rateLimits,
      blobs,
      closed,
      ownWords,
      beginExport,
      publicUrl,
      log,
      now,
      leaseMs,
    }
    let chats: Conversations | undefined
    const changed: typeof live.changed = note => {
      live.changed(note)
      chats?.noteChanged(note)
    }
    const work = await openWork({ ...parts, settings, speech, live: { changed }, broadcast })
    const { notes } = work
    const deletion = createDeleting(notes, rateLimits)
    const conversations = createConversations({ ...parts, notes, remove: deletion.remove, everyMs })
    chats = conversations
    const sharing = createConversationSharing({ ...parts, conversations, shares: notes.shares })
    const chatExports = createConversationExports({ ...parts, conversations })
    const samples = createSamples(documents)
    const { has: hasConversations } = conversations.store
    const chatDeps = { hasConversations, conversationBy: sharing.by }
    const rules = createRules({ ...parts, ...chatDeps, work, deletion, samples, voices })
    const perAddress = rateLimits('shared-address', settings.RATE_LIMIT_SHARED)
    const quoting = createQuoting({ ...parts, notes, cut: speech.cut })
    const { isIdle } = work.loop
    const previews = createPreviews({ ...parts, ...speech, notes, isIdle })
    const tries = createTries({ ...parts, previews, engines, budget: work.budget, isIdle, settings })
    const commands = createOnNoteCommand({ ...parts, ...rules })
    const handlers = createHandlers({
      ...rules,
      placeOfUpload: conversations.placeOfUpload,
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
        ...transcriptionRoutes({ ...parts, ...rules, engines, live, quoting }),
        ...conversationRoutes({
          conversations,
          exports: chatExports,
          sharing,
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
          speakers: voices.isHere,
          preview: previews.isOn,
          try: tries.isOn,
        }),
        exportOfAccountRoute({ ...parts, ...rules, conversationsOf: chatExports.allOf }),
      ],
      onBroadcast: work.onBroadcast,
      accessEnded: live.accountChanged,
      hangUp() {
        previews.stop()
        live.close()
      },
      jobs: [
        ...work.jobs,
        ...conversations.jobs,
        { name: 'delete-leftovers', everyMs, run: deleteLeftovers },
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
