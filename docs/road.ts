import { ROAD } from '../services/transcription/src/pipeline.ts'

/** The road of a note, as GitHub draws it. */
export function roadDiagram(): string {
  const lines = Object.entries(ROAD).flatMap(([step, { begins, leadsTo }]) => [
    ...(begins ? [`  ${begins}([${begins}]) --> ${step}`] : []),
    ...(leadsTo ? [`  ${step} --> ${leadsTo}`] : []),
  ])
  return ['```mermaid', 'flowchart LR', ...lines, '```', ''].join('\n')
}
