import { STEPS, type Step } from '../services/transcription/src/note/life.ts'

const entries: [string, Step][] = Object.entries(STEPS)

/** The states of a note and the steps between them, as GitHub draws it. */
export function lifeDiagram(): string {
  const arrows = new Map<string, string[]>()
  for (const [name, { from, to, sends = [] }] of entries) {
    for (const state of from.length ? from : ['[*]']) {
      const ends = `${state} --> ${to}`
      arrows.set(ends, [...(arrows.get(ends) ?? []), [name, ...sends].join(' / ')])
    }
  }
  // Mermaid takes no hyphen in the name of a state.
  const lines = [...arrows].map(
    ([ends, names]) => `  ${ends.replaceAll('-for-', '_for_')}: ${names.join('<br>')}`,
  )
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```', ''].join('\n')
}
