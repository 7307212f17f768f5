import { settledWithin } from '@voxscribe/messaging'
import { defineService, deleteLeftovers, type Logger, openBlobs } from '@voxscribe/service'
import type { Express } from 'express'
import { createRules } from './api/note-calls.ts'
import { createOnNoteCommand } from './api/on-note-command.ts'
import { transcriptionRoutes } from './api/routes.ts'
import { type Engines, isEngine } from './engines/choice.ts'
import { createTextBudget, type Take } from './engines/spending.ts'
import { mountExportOfAccount } from './export/export-account.ts'
import { createOneExport } from './export/one-export.ts'
import { createHandlers } from './handlers.ts'
import { TITLED, titled } from './note/listing.ts'
import type { NoteRecord } from './note/record.ts'
import type { Notes } from './note/store.ts'
import { createOperatorCalls } from './operators.ts'
import { createLive } from './pages/live.ts'
import { type TranscriptionSettings, transcriptionSettings } from './settings.ts'
import { sharedRoutes } from './share/shared-routes.ts'
import { openSpeech } from './speech.ts'
import { createTextDays } from './text/text-days.ts'
import { createOwnWords, ownWordsRoutes } from './words/own-words.ts'
import { openWork } from './workers.ts'

/** For writing the release of what the drain has broken off. */
const RELEASE_MS = 2_000

/** Turns stored audio into text, and keeps the texts. */
export const transcriptionService = defineService({
  name: 'transcription',
  settings: transcriptionSettings,
  async build({ settings, documents, log, rateLimits, tell, closed }) {
    const blobs = openBlobs(settings)
    const speech = await openSpeech(settings, blobs, log)
    const now = () => new Date()
    const live = createLive(tell, closed)
    // Without a broker there is no other process.
    const lastsMs = settings.RABBITMQ_URL ? settings.NOTE_LEASE : 0
    const textBudget = createTextBudget({ documents, now, log }, settings)
    const textModel = await openTextModel(settings, log, textBudget.take)
    const ownWords = createOwnWords(documents)
    const { of: ownWordsOf } = ownWords
    const textDays = createTextDays({ documents, rateLimits, settings, now })
    const charactersOf = textDays.of
    const also = { documents, textModel, charactersOf, rateLimits, ownWordsOf, live, now, log, tell }
    const room = { settings, lastsMs, speech, ...also }
    const work = await openWork(room)
    const { notes } = work
    const { engines } = speech
    const { PUBLIC_URL: publicUrl } = settings
    const exports = createOneExport(documents, lastsMs)
    const beginExport = exports.begin
    const rules = createRules({ work, blobs, closed, beginExport, ownWordsOf, rateLimits, publicUrl })
    return {
      handlers: {
        ...createHandlers({ ...work, publicUrl, now }),
        NoteCommandReceived: createOnNoteCommand({ ...rules, documents, lastsMs, now }),
        SubscriptionChanged: textDays.planChanged,
      },
      erase: async userId => exports.end(userId),
      mount: app => {
        forGateway(notes, engines, work.textWork.isOn)(app)
        mountExportOfAccount(app, { notes, sharing: rules.sharing, blobs, beginExport, ownWordsOf })
      },
      admin: createOperatorCalls(notes, now),
      routes: [
        ...transcriptionRoutes({
          ...rules,
          ...{ blobs, engines, live, closed, beginExport, publicUrl, rateLimits, log },
        }),
        ...ownWordsRoutes(ownWords),
        ...sharedRoutes(rules.sharing, rateLimits('shared-address', settings.RATE_LIMIT_SHARED)),
      ],
      hear: work.hear,
      accessEnded: live.accountChanged,
      hangUp: live.close,
      jobs: [
        ...work.jobs,
        { name: 'text-budget', everyMs: settings.ENGINE_CHECK_EVERY, run: textBudget.look },
        { name: 'delete-leftovers', everyMs: settings.SWEEP_EVERY, run: deleteLeftovers },
      ],
      async drain() {
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

/** Only an installation that has one loads the library. */
async function openTextModel(settings: TranscriptionSettings, log: Logger, budget: Take) {
  const { TEXT_MODEL } = settings
  return TEXT_MODEL
    ? (await import('./text/model.ts')).createTextModel({ ...settings, TEXT_MODEL }, log, budget)
    : undefined
}

/** Calls of the gateway: outside `/api`, they are not reachable from the Internet. */
const forGateway = (notes: Notes, engines: Engines, hasTextModel: () => boolean) => (app: Express) => {
  /** Titles by id, without deleted notes. */
  app.get('/internal/titles', async (request, response) => {
    const which = { _id: { $in: String(request.query.ids).split(',') }, deletedAt: null }
    const found = await notes.model.find(which, TITLED).lean()
    const data = Object.fromEntries(found.map(note => [note._id, titled(note as NoteRecord).title]))
    response.json({ success: true, message: 'OK', data })
  })
  app.get('/internal/speech', async (_request, response) => {
    const here = engines.ladder().filter(isEngine)
    const named = here.map(({ name, model }) => ({ name, model }))
    const data = { engines: named, languages: engines.languages(), textModel: hasTextModel() }
    response.json({ success: true, message: 'OK', data })
  })
}
