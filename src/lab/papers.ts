import { type Family, hint, type Paper, type PaperItem, type PrintedTable, UsageError } from '../core/index.ts'

/** What a family's paper shows, with the numbers that it prints for it. */
export interface Shown {
  readonly paper: Paper
  readonly item: PaperItem
  readonly printed: PrintedTable | null
}

/** An item of a paper by its id. @throws UsageError that names the nearest. */
export function shownItem(families: readonly Family[], id: string): Shown {
  const shown = families.flatMap(({ paper }) =>
    paper === undefined ? [] : paper.items.map((item) => ({ paper, item })),
  )
  const found = shown.find(({ item }) => item.id === id.toLowerCase())
  if (found === undefined) {
    const nearest = hint(
      id,
      shown.map(({ item }) => item.id),
    )
    throw new UsageError(`no paper has ${id}${nearest}; touchstone reproduce lists all`)
  }
  return { ...found, printed: found.paper.printed.find((table) => table.id === found.item.id) ?? null }
}
