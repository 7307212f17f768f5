import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { Facts } from '../ui/facts.tsx'
import { figure, fileSize, moment, percent } from '../ui/figures.ts'
import { Summary } from '../ui/summary.tsx'
import { engineLabel, sourceLabel, WHY_NOT } from './note/labels.ts'
import { Searched } from './note/searched.tsx'
import type { OpenNote } from './use-open-note.ts'

const timeFormat = new Intl.DateTimeFormat('en', { timeStyle: 'medium' })

const STEPS: Record<string, string> = {
  received: 'We received the note.',
  fetched: 'We fetched its audio.',
  refused: 'We couldn’t accept the note.',
  receivedLate: 'We received the note after all.',
  measuring: 'We started measuring it.',
  minutesAsked: 'We measured it and requested its minutes.',
  minutesAskedLate: 'We measured it and requested its minutes.',
  waitingForSame: 'It waited for another note with the same audio.',
  sameFound: 'It got the text of another note with the same audio.',
  waiting: 'It waited for a speech engine.',
  listening: 'Minutes were reserved and transcription started.',
  completed: 'The text was ready.',
  answered: 'The text was sent as an answer.',
  failed: 'It couldn’t be transcribed.',
  textKept: 'Transcribing it again failed, so the previous text was kept.',
  refreshed: 'You asked for it to be transcribed again.',
}
/** Empty for a step that took hardly any time. */
const lasted = (ms: number | null) => (ms === null || ms < 50 ? '' : `after ${figure(ms / 1000)} s`)

/** The engine of this attempt; the model is known only for the last attempt. */
const recognisedBy = (name: string | null, last: TranscriptionDocument['engine']) =>
  name && `recognised by ${engineLabel(last?.name === name ? last : { name })}`

/** The facts about the note, the file, which engines did not recognise it and why, and the note's history, in a collapsed section. */
export function NoteDetails({ document: note, search }: OpenNote) {
  const { timeline, engine } = note
  return (
    <details className="group mt-10 border-line border-t pt-4 text-sm">
      <Summary className="text-base">What happened to this note</Summary>
      <Facts
        look="line"
        className="mt-3"
        facts={[
          ['Received', moment(note.createdAt)],
          ['Source', sourceLabel(note.source)],
          ['Recognised by', engine && engineLabel(engine)],
          ['Confidence', percent(note.confidenceScore)],
        ]}
      />
      <p className="wrap-anywhere mt-3">
        <bdi>
          <Searched text={note.fileName} search={search} />
        </bdi>
        , {fileSize(note.fileSize)}
      </p>
      {engine?.model && <p className="mt-1 text-soft">Recognised with the model {engine.model}</p>}
      {engine?.instead?.map(
        ({ name, reason }) =>
          WHY_NOT[reason] && (
            <p key={name} className="mt-1 text-soft">
              Not {engineLabel({ name })}: {WHY_NOT[reason]}
            </p>
          ),
      )}
      <ol className="mt-3 grid gap-1.5">
        {timeline.map(({ step, at, ms, detail }) => (
          <li key={`${step} ${at}`} className="flex flex-wrap gap-x-3">
            <time dateTime={at} className="text-soft tabular-nums">
              {timeFormat.format(new Date(at))}
            </time>
            <span className="wrap-anywhere font-medium">{STEPS[step] ?? step}</span>
            <span className="wrap-anywhere text-soft">
              {[step === 'completed' ? recognisedBy(detail, engine) : detail, lasted(ms)]
                .filter(Boolean)
                .join(', ')}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
