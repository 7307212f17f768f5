import type { Result } from './run.ts'

/** Returns a result as text: the faults by kind, then each promise with its count. */
export function table(
  { kills, notes, seed }: { kills: number; notes: number; seed: number },
  { findings, made, settledMs, folder }: Result,
): string {
  const kinds = [...Map.groupBy(made, ({ kind }) => kind)].map(([kind, of]) => {
    const hits = of.filter(({ hit }) => hit).length
    return hits === of.length ? `${kind} ${hits}` : `${kind} ${hits} of ${of.length}`
  })
  const width = Math.max(...findings.map(({ what }) => what.length))
  const lines = findings.flatMap(({ what, count, broken }) => [
    `${broken.length ? '✗' : '✓'} ${what.padEnd(width)}  ${count}`,
    ...broken.slice(0, 10).map(each => `    ${each}`),
    ...(broken.length > 10 ? [`    and ${broken.length - 10} more`] : []),
  ])
  return [
    '',
    `${kills} faults over ${notes} notes, seed ${seed}: ${kinds.join(', ')}`,
    ...lines,
    settledMs === null
      ? `✗ not settled, and no progress for minutes; logs: ${folder}/logs`
      : `✓ settled ${(settledMs / 1000).toFixed(0)} s after the last fault`,
    '',
  ].join('\n')
}
