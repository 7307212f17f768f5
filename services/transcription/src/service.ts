import { defineService, deleteLeftovers, openBlobs } from '@voxscribe/service'
import type { Express } from 'express'
import { createDiskBudget, freeMegabytes, MEGABYTE } from './audio/disk-budget.ts'
import { createFfmpeg } from './audio/ffmpeg.ts'
import { withoutNetwork } from './audio/program.ts'
import { createSounds } from './audio/sounds.ts'
import { FOLDER_PREFIX } from './audio/workspace.ts'
import { createEngines, type Engines } from './engines/choice.ts'
import { createHandlers } from './handlers.ts'
import { resumeWaiting, sweep } from './jobs.ts'
import { createNativePool } from './local-model/pool.ts'
import { createDetector } from './local-model/silero.ts'
import { thisMachine, workersFor } from './local-model/workers.ts'
import { modelsOf } from './models/settings.ts'
import { DEFAULT } from './models/table.ts'
import { createSameAudio } from './note/same-audio.ts'
import { createNotes } from './note/store.ts'
import { createAudioLinks } from './page/audio-link.ts'
import { createLive } from './page/live.ts'
import { createOneExport } from './page/one-export.ts'
import { transcriptionRoutes } from './routes.ts'
import { transcriptionSettings } from './settings.ts'
import type { Work } from './work/claims.ts'
import { createInHand } from './work/in-hand.ts'
import { createLeases } from './work/leases.ts'
import { createLine } from './work/line.ts'
import { lineStepsOf } from './work/line-steps.ts'
import { createMeasuring } from './work/on-media-received.ts'
import { createListening } from './work/on-quota.ts'
import { createOrder } from './work/order.ts'

/** No younger folder is a leftover: others on this machine, with limits of their own, may be at work in it. */
const LEFT_MS = 3_600_000
/** A lease is renewed so often in its time: a renewal may fail, or be late. */
const RENEWALS = 5
/** Putting a note in line notifies all processes; this finds what they missed and what a dead one left. */
const LOOK_EVERY_MS = 2_000

/** Turns stored audio into text, and keeps the texts. */
export const transcriptionService = defineService({
  name: 'transcription',
  settings: transcriptionSettings,
  async build({ settings, documents, log, rateLimits, tell }) {
    // The sweeper stops work that takes longer.
    const clearLeftovers = () => deleteLeftovers(FOLDER_PREFIX, Math.max(2 * settings.NOTE_TIMEOUT, LEFT_MS))
    // First of all: the disk budget is a share of what is free.
    await clearLeftovers()
    const blobs = openBlobs(settings)
    const ffmpeg = createFfmpeg(settings)
    const atOnce = settings.TRANSCRIPTION_CONCURRENCY
    const models = modelsOf(settings, log)
    const machine = thisMachine()
    const workers = () => workersFor((models.chosen() ?? DEFAULT).workerMegabytes, machine)
    const pool = createNativePool(() => Math.min(atOnce, workers()))
    const detector = createDetector(pool, models)
    const engines = await createEngines({ settings, models, pool, ffmpeg, log })
    const now = () => new Date()
    // Without a broker everything runs in this one process.
    const lastsMs = settings.RABBITMQ_URL ? settings.NOTE_LEASE : 0
    const leases = createLeases(lastsMs)
    const live = createLive(tell)
    const notes = createNotes(documents, leases, now, note => {
      live.changed(note)
      void sameAudio.changed(note)
    })
    const sameAudio = createSameAudio({ notes, engines, log })
    const inHand = createInHand(notes, settings.NOTE_LEASE / RENEWALS)
    const disk = createDiskBudget((settings.WORK_DISK_BUDGET ?? freeMegabytes()) * MEGABYTE)
    const sounds = createSounds({ blobs, ffmpeg, detector, disk })
    const steps = lineStepsOf({
      notes,
      measure: createMeasuring({ notes, sounds, sameAudio }),
      listen: createListening({ notes, ffmpeg, sounds, engines }),
    })
    const lineOf = (step: Work) =>
      createLine({
        step,
        steps: steps[step],
        atOnce,
        order: createOrder(),
        inHand,
        log,
        hasCome: () => tell({ inLine: step }),
      })
    const lines = { measuring: lineOf('measuring'), listening: lineOf('listening') }
    const lookAll = async () => {
      await Promise.all([lines.measuring.look(), lines.listening.look()])
    }
    const links = createAudioLinks(notes, now)
    const publicUrl = settings.PUBLIC_URL
    if (!withoutNetwork().length)
      log.info('this machine does not allow to take the network from ffmpeg and the engines')
    const engine = engines.current()
    const heardBy = { detector: models.detector() ?? 'loudness alone' }
    if (engine) log.info({ engine: engine.name, model: engine.model, ...heardBy }, 'the speech engine')
    else log.warn(heardBy, `no speech engine, so notes wait: ${engines.howToGet}`)
    return {
      handlers: createHandlers({
        notes,
        lines,
        steps,
        inHand,
        sameAudio,
        publicUrl,
      }),
      concurrency: { TryFailed: atOnce },
      mount: mountSpeech(engines),
      routes: transcriptionRoutes({
        notes,
        blobs,
        inHand,
        engines,
        links,
        live,
        beginExport: createOneExport(documents, lastsMs),
        rateLimits,
        log,
        now,
      }),
      hear(data) {
        const step = cameInLine(data)
        if (step) return void lines[step].look()
        const { id, status, owner } = live.hear(data)
        // Nobody here listens to it any more.
        if (status !== 'processing' || (owner && owner !== leases.owner)) void sounds.drop(id).catch(() => {})
      },
      hangUp: live.close,
      jobs: [
        {
          name: 'sweeper',
          everyMs: settings.SWEEP_EVERY,
          run: () => sweep({ notes, inHand, settings }, new Date()),
        },
        {
          name: 'notes that wait',
          everyMs: settings.ENGINE_CHECK_EVERY,
          run: () => resumeWaiting({ notes, engines, sameAudio }),
        },
        { name: 'notes in line', everyMs: LOOK_EVERY_MS, run: lookAll },
        { name: 'delete-leftovers', everyMs: settings.SWEEP_EVERY, run: clearLeftovers },
      ],
      stopping() {
        lines.measuring.stop()
        lines.listening.stop()
        inHand.end()
        pool.close()
      },
      async close() {
        await Promise.all([lines.measuring.settled(), lines.listening.settled()])
        await sounds.close()
      },
    }
  },
})

/** Which line a process has told of. */
const cameInLine = (told: unknown): Work | undefined => (told as { inLine?: Work }).inLine

/** `GET /internal/speech` is for the gateway: it stands outside `/api`, so no one reaches it from outside. */
const mountSpeech = (engines: Engines) => (app: Express) => {
  app.get('/internal/speech', (_request, response) => {
    const engine = engines.current()
    const known = engine?.takes.languages
    const data = engine && {
      engine: engine.name,
      model: engine.model,
      languages: known === 'all' ? null : known,
    }
    response.json({ success: true, message: 'OK', data: data ?? null })
  })
}
