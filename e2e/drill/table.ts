import type { Result } from './run.ts'

/** Returns a result for people: the troubles by kind, then the promises with what was counted. */
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
    `${kills} troubles over ${notes} notes, seed ${seed}: ${kinds.join(', ')}`,
    ...lines,
    settledMs === null
      ? `✗ not all is well, and nothing has come about for a minute; logs: ${folder}/logs`
      : `✓ all is well ${(settledMs / 1000).toFixed(0)} s after the last trouble`,
    '',
  ].join('\n')
}
