import { add, type Counts } from './step.ts'

export interface Result {
  readonly name: string
  readonly counts: Counts
  readonly seconds: number
}

/** The table of steps and, as its last line, `N passed, N failed, N skipped`. */
export function table(results: readonly Result[]): string {
  const rows = results.map(({ name, counts, seconds }) => [
    name,
    `${counts.passed}`,
    `${counts.failed}`,
    `${counts.skipped}`,
    seconds.toFixed(1),
  ])
  const all = [['step', 'passed', 'failed', 'skipped', 'seconds'], ...rows]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
  const total = add(results.map((result) => result.counts))
  const summary = `${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`
  return `${all.map(line).join('\n')}\n\n${summary}\n`
}

/** 0 only where something passed and nothing failed. */
export function exitCode(results: readonly Result[]): number {
  const total = add(results.map((result) => result.counts))
  return total.failed === 0 && total.passed > 0 ? 0 : 1
}
