/** A Markdown table as the formatter leaves it: columns padded to their widest cell. The first row is the head. */
export function table(rows: string[][]): string {
  const [head = [], ...body] = rows
  const widths = head.map((_, column) => Math.max(3, ...rows.map(row => row[column]?.length ?? 0)))
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [head, widths.map(width => '-'.repeat(width)), ...body].map(line).join('\n')
}
