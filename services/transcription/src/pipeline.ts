import type { EventName } from '@voxscribe/contracts/events'
import { type NoteRecord, WORK_STEPS, type Work, type WorkStep } from './note/record.ts'
import type { StepWork } from './queue/loop.ts'
import type { Queue } from './queue/queue.ts'
import { createSpeakerWork } from './queue/speakers.ts'
import { createListening, createMeasuring } from './queue/steps.ts'
import { createForming } from './text/forming.ts'
import { awaitsGist, createSummarising, wantsGist } from './text/gists.ts'

// A note's road, and what the loop runs. A new step is a row here, its own file, and its name in `note/record.ts`.

/** The steps share these. */
type Deps = Parameters<typeof createMeasuring>[0] &
  Omit<Parameters<typeof createListening>[0], 'next' | 'awaitsGist'> &
  Omit<Parameters<typeof createSpeakerWork>[0], 'next'> &
  Omit<Parameters<typeof createSummarising>[0], 'next'> &
  Parameters<typeof createForming>[0]

interface Row {
  /** The event, or the wish of the note's person, that brings it here; without it only the step before does. */
  begins?: EventName | 'speakers'
  /** Makes the function. `next`: the work that follows on a note, to be written with the step's outcome. */
  make(deps: Deps & { next(note: NoteRecord): Promise<Work | null> }): StepWork
  /** The step that follows at once, or is passed over. */
  leadsTo?: WorkStep
  /** Whether a note comes here from the step before; without it each one does. */
  wants?(note: NoteRecord, deps: Pick<Deps, 'textWork' | 'forms'>): boolean | Promise<boolean>
}

export const ROAD: Record<WorkStep, Row> = {
  // Its length, its waveform, and whether anybody speaks. Then the note asks billing for its minutes.
  measuring: { begins: 'MediaReceived', make: createMeasuring },
  // Its text, by the engines.
  listening: {
    begins: 'QuotaReserved',
    make: deps => createListening({ ...deps, awaitsGist }),
    leadsTo: 'summarising',
  },
  // Who says what.
  voices: { begins: 'speakers', make: createSpeakerWork, leadsTo: 'summarising' },
  // The gist that is made by itself.
  summarising: {
    make: createSummarising,
    leadsTo: 'forming',
    wants: (note, { textWork }) => textWork.isOn() && wantsGist(note),
  },
  // Texts in its person's forms that are made by themselves.
  forming: {
    make: createForming,
    wants: async (note, { textWork, forms }) => textWork.isOn() && (await forms.fitting(note)).length > 0,
  },
}

/** The next step that the note wants, if any. */
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

/** Makes the functions of the road for the loop. */
export function openRoad(deps: Deps, queue: Pick<Queue, 'workFor'>): Record<WorkStep, StepWork> {
  function workOf(step: WorkStep): StepWork {
    const next = async (note: NoteRecord) => {
      const to = await following(step, note, deps)
      return to && queue.workFor(to, note.userId, note.durationSeconds ?? 0)
    }
    return ROAD[step].make({ ...deps, next })
  }
  return Object.fromEntries(WORK_STEPS.map(step => [step, workOf(step)])) as Record<WorkStep, StepWork>
}
