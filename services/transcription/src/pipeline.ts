import type { EventName } from '@voxscribe/contracts/events'
import { type NoteRecord, WORK_STEPS, type Work, type WorkStep } from './note/record.ts'
import type { StepWork } from './queue/loop.ts'
import type { Queue } from './queue/queue.ts'
import { createSpeakerWork } from './queue/speakers.ts'
import { createListening, createMeasuring } from './queue/steps.ts'
import { createForming } from './text/forming.ts'
import { createSummarising, replyAwaitsGist, wantsGist } from './text/gists.ts'

// The steps of a note, as the loop runs them. A new step is a row here, its own file, and its name in `note/record.ts`.

type Deps = Parameters<typeof createMeasuring>[0] &
  Omit<Parameters<typeof createListening>[0], 'next' | 'replyAwaitsGist'> &
  Omit<Parameters<typeof createSpeakerWork>[0], 'next'> &
  Omit<Parameters<typeof createSummarising>[0], 'next'> &
  Parameters<typeof createForming>[0]

interface Row {
  /** The event or the person's request that starts the step; without it, only the preceding step leads here. */
  begins?: EventName | 'speakers'
  /** Creates the step's work. `next` returns the work that follows a note, to be written with the step's outcome. */
  make(deps: Deps & { next(note: NoteRecord): Promise<Work | null> }): StepWork
  /** The next step; it is skipped if it doesn't want the note. */
  leadsTo?: WorkStep
  /** Whether the preceding step leads a note here; default: always. */
  wants?(note: NoteRecord, deps: Pick<Deps, 'textWork' | 'forms'>): boolean | Promise<boolean>
}

export const ROAD: Record<WorkStep, Row> = {
  // Finds the length, the waveform, and whether there is speech; then the note asks billing for its minutes.
  measuring: { begins: 'MediaReceived', make: createMeasuring },
  // Recognizes the text.
  listening: {
    begins: 'QuotaReserved',
    make: deps => createListening({ ...deps, replyAwaitsGist }),
    leadsTo: 'summarising',
  },
  // Assigns the speakers.
  voices: { begins: 'speakers', make: createSpeakerWork, leadsTo: 'summarising' },
  // Makes the automatic gist.
  summarising: {
    make: createSummarising,
    leadsTo: 'forming',
    wants: (note, { textWork }) => textWork.isOn() && wantsGist(note),
  },
  // Makes the automatic texts in the person's forms.
  forming: {
    make: createForming,
    wants: async (note, { textWork, forms }) => textWork.isOn() && (await forms.fitting(note)).length > 0,
  },
}

/** Returns the next step that the note wants, if any. */
export async function following(
  step: WorkStep,
  note: NoteRecord,
  deps: Pick<Deps, 'textWork' | 'forms'>,
): Promise<WorkStep | null> {
  const { leadsTo } = ROAD[step]
  if (!leadsTo) return null
  const { wants = () => true } = ROAD[leadsTo]
  return (await wants(note, deps)) ? leadsTo : following(leadsTo, note, deps)
}

/** Creates the work of each step for the loop. */
export function createSteps(deps: Deps, queue: Pick<Queue, 'workFor'>): Record<WorkStep, StepWork> {
  function workOf(step: WorkStep): StepWork {
    const next = async (note: NoteRecord) => {
      const to = await following(step, note, deps)
      return to && queue.workFor(to, note.userId, note.durationSeconds ?? 0)
    }
    return ROAD[step].make({ ...deps, next })
  }
  return Object.fromEntries(WORK_STEPS.map(step => [step, workOf(step)])) as Record<WorkStep, StepWork>
}
