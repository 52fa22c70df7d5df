import type { Table } from '../../core/index.ts'
import { heading, isNumeric, shown } from './values.ts'

/** A table as aligned plain text for terminals, numbers to the right. */
export function plainTable(table: Table): string {
  const heads = table.columns.map(heading)
  const cells = table.rows.map((row) => table.columns.map((column) => shown(row[column.key], column)))
  const widths = heads.map((head, j) => Math.max(width(head), ...cells.map((row) => width(row[j] as string))))
  const line = (row: readonly string[]) =>
    row
      .map((cell, j) => {
        const gap = ' '.repeat((widths[j] as number) - width(cell))
        return isNumeric(table.columns[j] as Table['columns'][number]) ? gap + cell : cell + gap
      })
      .join('  ')
      .trimEnd()
  const rule = widths.map((n) => '-'.repeat(n)).join('  ')
  return `${[line(heads), rule, ...cells.map(line)].join('\n')}\n`
}

/** Terminal columns of a text: wide East Asian characters and emoji take two, combining marks none. */
function width(text: string): number {
  let total = 0
  for (const c of text) {
    if (/\p{M}/u.test(c)) continue
    total +=
      /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u.test(
        c,
      )
        ? 2
        : 1
  }
  return total
}
