import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { ENGLISH_ONLY, isKnown, OUT_OF_MINUTES, sentenceOf } from '@voxscribe/contracts/reasons'
import { quantity } from '@voxscribe/contracts/wording'
import { i18n, whereReaderIs } from '../language/i18n.ts'
import { engineLabel, sourceLabel, whyNot } from '../language/names.ts'
import { titleForReader } from '../language/title.ts'
import { Searched } from '../note/searched.tsx'
import { fileSize, moment, percent } from '../ui/figures.ts'
import { Row } from '../ui/layout/details.tsx'
import { Facts } from '../ui/layout/facts.tsx'
import type { OpenNote } from './use-open-note.ts'

const STEPS: Record<string, string> = {
  received: /*i18n*/ 'We received the note.',
  fetched: /*i18n*/ 'We fetched its audio.',
  refused: /*i18n*/ 'We couldn’t accept the note.',
  receivedLate: /*i18n*/ 'We received the note after all.',
  measuring: /*i18n*/ 'We started measuring it.',
  minutesAsked: /*i18n*/ 'We measured it and requested its minutes.',
  minutesAskedLate: /*i18n*/ 'We measured it and requested its minutes.',
  waitingForSame: /*i18n*/ 'It waited for another note with the same audio.',
  sameFound: /*i18n*/ 'It got the text of another note with the same audio.',
  waiting: /*i18n*/ 'It waited for a speech engine.',
  listening: /*i18n*/ 'Minutes were reserved and transcription started.',
  repeatsCut: /*i18n*/ 'Repeated words were cut.',
  completed: /*i18n*/ 'The text was ready.',
  answered: /*i18n*/ 'The text was sent as an answer.',
  failed: /*i18n*/ 'It couldn’t be transcribed.',
  textKept: /*i18n*/ 'Transcribing it again failed, so the previous text was kept.',
  refreshed: /*i18n*/ 'You asked for it to be transcribed again.',
}
const WAYS: Record<string, string> = { chat: /*i18n*/ 'chat', mail: /*i18n*/ 'mail' }

/** Describes a step: the reason, the engine, or how the reply was sent. Only the last attempt's model is known. */
function describeStep({ step, detail, reason }: Step, last: TranscriptionDocument['engine']) {
  // The page already says so above.
  if (reason?.code === OUT_OF_MINUTES) return ''
  if (reason && isKnown(reason)) return sentenceOf(whereReaderIs(), reason)
  if (!detail || reason) return detail
  if (step !== 'completed') return WAYS[detail] ? i18n.t(WAYS[detail]) : detail
  const engine = engineLabel(last?.name === detail ? last : { name: detail })
  return i18n.t('recognized by {engine}', { engine })
}

/** Formats a step's duration; empty below 50 ms. */
function durationText({ ms }: Step) {
  if (ms === null || ms < 50) return ''
  return i18n.t('after {length}', { length: quantity(i18n, Math.round(ms / 100) / 10, 'second') })
}
type Step = TranscriptionDocument['timeline'][number]

/** Whether another process took over the work, which starts again without a new request for minutes. */
function isResumed(timeline: Step[], index: number): boolean {
  const before = timeline
    .slice(0, index)
    .findLast(({ step }) => /^(listening|refreshed|minutesAsked)/.test(step))
  return timeline[index]?.step === 'listening' && before?.step === 'listening'
}

/** Facts about the note and its file, the engines that failed and why, and its history, in a collapsed section. */
export function NoteDetails({ document: note, search }: OpenNote) {
  const { timeline, engine } = note
  return (
    <Row name={i18n.t('What happened to this note')}>
      <Facts
        look="line"
        className="mt-3"
        facts={[
          [i18n.t('Received'), moment(note.createdAt)],
          [i18n.t('Source'), sourceLabel(note.source)],
          [i18n.t('Recognized by'), engine && engineLabel(engine)],
          [i18n.t('Confidence'), percent(note.confidenceScore)],
        ]}
      />
      {note.notices
        ?.filter(({ code }) => code === ENGLISH_ONLY)
        .map(notice => (
          <p key={notice.code} className="mt-3 text-soft">
            {sentenceOf(i18n, notice)}
          </p>
        ))}
      <p className="wrap-anywhere mt-3">
        <bdi>
          <Searched text={titleForReader(note.fileName)} search={search} />
        </bdi>
        , {fileSize(note.fileSize)}
      </p>
      {engine?.model && (
        <p className="mt-1 text-soft">
          {i18n.t('Recognized with the model {model}', { model: engine.model })}
        </p>
      )}
      {note.passedOver?.map(
        ({ name, reason }) =>
          whyNot(reason) && (
            <p key={name} className="mt-1 text-soft">
              {i18n.t('Not {engine}: {why}', { engine: engineLabel({ name }), why: whyNot(reason)! })}
            </p>
          ),
      )}
      <ol className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1.5">
        {timeline.map((step, index) => (
          <li key={`${step.step} ${step.at}`} className="col-span-2 grid grid-cols-subgrid">
            <time dateTime={step.at} className="text-soft tabular-nums">
              {new Date(step.at).toLocaleTimeString(i18n.locale, { timeStyle: 'medium' })}
            </time>
            <p className="wrap-anywhere flex flex-wrap gap-x-3">
              <span className="font-medium">
                {isResumed(timeline, index)
                  ? i18n.t('Transcription went on after an interruption. No more minutes were reserved.')
                  : i18n.t(STEPS[step.step] ?? step.step)}
              </span>
              {[describeStep(step, engine), durationText(step)].map(
                detail =>
                  detail && (
                    <span key={detail} className="text-soft">
                      {detail}
                    </span>
                  ),
              )}
            </p>
          </li>
        ))}
      </ol>
    </Row>
  )
}
