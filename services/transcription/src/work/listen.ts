import { inSpan } from '@voxscribe/service'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import type { Sound, Sounds } from '../audio/sounds.ts'
import type { Engines } from '../engines/choice.ts'
import { SHORT_NOTE_SECONDS } from '../engines/engine.ts'
import { climbDown } from '../engines/ladder.ts'
import { listenTo, silence } from '../hearing/listen-to.ts'
import type { Speech } from '../hearing/speech.ts'
import { notesEnded, stageSeconds } from '../metrics.ts'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { NO_ENGINE } from '../reasons.ts'
import type { StepWork } from './loop.ts'
import type { Neighbours } from './neighbours.ts'
import { usualLanguage } from './usual-language.ts'

interface Deps {
  notes: Notes
  ffmpeg: Ffmpeg
  sounds: Sounds
  engines: Engines
  neighbours: Neighbours
}

/** Turns a note, whose minutes are reserved, into text. */
export function createListening({ notes, ffmpeg, sounds, engines, neighbours }: Deps): StepWork {
  async function listen(note: NoteRecord, signal: AbortSignal): Promise<Speech> {
    const ended = stageSeconds.startTimer({ stage: 'recognise' })
    const work = async (sound: Sound) => {
      const savePart = notes.savePart.bind(null, note)
      const usual = () => usualLanguage(notes, note)
      const asked = engines.ladder().filter(({ name }) => name === note.askedEngine)
      const rungs = asked.length ? asked : engines.ladder()
      return climbDown(rungs, note.language, (engine, instead) => {
        const deps = { ffmpeg, engine, instead, savePart, usualLanguage: usual }
        return inSpan('recognise', () => listenTo(deps, note, sound, signal), { engine: engine.name })
      })
    }
    const speech = await sounds.use(note, signal, work)
    ended()
    return speech
  }

  return {
    short: { durationSeconds: { $lte: SHORT_NOTE_SECONDS } },
    fits: neighbours.notTheirs,
    secondsOf: ({ durationSeconds }) => durationSeconds ?? 0,

    /** The slow work comes first, the one write last: killed in between, all of it is simply done again. */
    async work(note, signal) {
      // A note that failed before it was measured has asked for no minutes so far.
      if (note.durationSeconds === null) {
        await notes.askLate(note, await sounds.measure(note, signal))
        return
      }
      if (!note.isSilent && (!engines.current() || neighbours.mustWait(note.language))) {
        // The engine has gone meanwhile, or the note was refreshed without one. The minutes stay reserved.
        await notes.waitForEngine(note, NO_ENGINE)
        return
      }
      const speech = note.isSilent ? silence : await listen(note, signal)
      const done = note.reserved && (await notes.completed(note, speech, note.reserved))
      if (done) notesEnded.inc({ outcome: speech.text ? 'completed' : 'silent' })
    },
  }
}
