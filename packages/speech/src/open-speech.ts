import { freeMegabytes, MEGABYTE } from './audio/disk-budget.ts'
import { createFfmpeg } from './audio/ffmpeg.ts'
import { withoutNetwork } from './audio/program.ts'
import { createSounds } from './audio/sounds.ts'
import { createEngines } from './engines/choice.ts'
import { REPLACEMENT_MODEL } from './engines/known-models.ts'
import { notesAtOnce, retiringModels, workerMegabytesIn } from './engines/list.ts'
import { createVoices } from './hearing/voices.ts'
import type { Host } from './host.ts'
import { createNativePool, megabytesLeft, thisMachine, workersFor } from './local-model/pool.ts'
import { createDetector } from './local-model/silero.ts'
import { modelsOf } from './models/folder.ts'
import type { SpeechSettings } from './settings.ts'

/** Opens everything that turns audio into text: ffmpeg, the detector, the engines, and disk space for notes. */
export async function openSpeech(settings: SpeechSettings, host: Host) {
  const { log, metrics } = host
  const ffmpeg = createFfmpeg(settings)
  const models = modelsOf(settings, host)
  const machine = thisMachine()
  const workers = () => workersFor(workerMegabytesIn(settings, models), machine)
  const pool = createNativePool(() => Math.min(notesAtOnce(settings), workers()), metrics)
  const detector = createDetector(pool, models)
  const engines = await createEngines({ ...host, settings, models, pool, ffmpeg })
  const voices = createVoices(pool, models)
  const diskBytes = (settings.WORK_DISK_BUDGET ?? freeMegabytes(host.temporaryFolder())) * MEGABYTE
  const sounds = createSounds({ ...host, ffmpeg, detector, diskBytes })
  if (!withoutNetwork().length)
    log.info({}, 'this machine does not allow to take the network from ffmpeg and the engines')
  const engine = engines.current()
  const detection = { detector: models.detector() ?? 'loudness alone' }
  if (engine) log.info({ engine: engine.name, model: engine.model, ...detection }, 'the speech engine')
  else log.warn(detection, `no speech engine, so notes wait: ${engines.howToGet}`)
  warnOfEnds(settings, host)
  return { engines, sounds, voices, cut: ffmpeg.clip, stop: () => pool.close(), close: sounds.close }
}

/** Returns the megabytes that workers leave of this machine; negative: a single worker lacks so many. */
export const memoryLeft = (settings: SpeechSettings, machine = thisMachine()): number =>
  megabytesLeft(workerMegabytesIn(settings, modelsOf(settings)), machine)

/** Logs and exports when models in use are retired. */
function warnOfEnds(settings: SpeechSettings, { log, metrics }: Host): void {
  for (const { model, ends } of retiringModels(settings)) {
    metrics?.modelEnds.set({ model }, Date.parse(ends) / 1000)
    log.warn({ model, ends }, `OpenAI ends this model: take ${REPLACEMENT_MODEL} instead in time`)
  }
}
