import type { ReportedAnalysis } from './report.ts'

const idsOf = ({ id, tables, figures }: ReportedAnalysis): readonly string[] => [
  id,
  ...tables.map((table) => table.id),
  ...figures.map((figure) => figure.id),
]

/**
 * Tasks may share an analysis, whose tables and figures have the same ids in both. Those of the later task get its name, so that
 * none of them stands in the place of the earlier one, on a page or as a file.
 */
export function withOwnIds(made: ReportedAnalysis, before: readonly ReportedAnalysis[]): ReportedAnalysis {
  const { task } = made
  const taken = new Set(before.flatMap(idsOf))
  if (task === null || !idsOf(made).some((id) => taken.has(id))) return made
  const own = (id: string): string => `${id}/${task}`
  return {
    ...made,
    id: own(made.id),
    tables: made.tables.map((table) => ({ ...table, id: own(table.id) })),
    figures: made.figures.map((figure) => ({ ...figure, id: own(figure.id), table: own(figure.table) })),
  }
}
