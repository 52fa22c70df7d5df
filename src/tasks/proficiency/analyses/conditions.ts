import {
  type Analysis,
  type AnalysisResult,
  type Column,
  column,
  type Figure,
  type Table,
} from '../../../core/index.ts'
import { partition, selectRows, varying } from '../../../libraries/statistics/index.ts'

/** Columns whose levels are never pooled: their strings overlap, or are shown in another format. */
const AXES: readonly Column[] = [column.text('config', 'Config'), column.text('style', 'Style')]

/** The analysis of each config and style, with columns that name them where a run has several. */
export const byCondition = (analysis: Analysis): Analysis => ({
  ...analysis,
  run(frame, options) {
    const keys = varying(frame, ['config', 'style'])
    if (keys.length === 0) return analysis.run(frame, options)
    const blocks = partition(frame, keys).map(({ key, rows }): Block => {
      const frameOf = (parser: string) => {
        const other = options.frameOf(parser)
        return other === null ? null : selectRows(other, rows)
      }
      return { key, result: analysis.run(selectRows(frame, rows), { ...options, frameOf }) }
    })
    return {
      tables: tablesOf(
        blocks,
        AXES.filter(({ key }) => keys.includes(key)),
      ),
      figures: figuresOf(blocks),
    }
  },
})

interface Block {
  readonly key: { readonly [axis: string]: string | null }
  readonly result: AnalysisResult
}

/** The column of the panels of figures, one per block. */
const panel = 'block'

/** Each table once, with the rows of all blocks. */
function tablesOf(blocks: readonly Block[], several: readonly Column[]): Table[] {
  const found = new Map<string, Table>()
  const names = shortNames(blocks.map(({ key }) => Object.values(key).join(', ')))
  for (const [i, { key, result }] of blocks.entries())
    for (const table of result.tables) {
      const facet = result.figures?.find((figure) => figure.table === table.id)?.facet
      const named = names[i] as string
      const rows = table.rows.map((row) => ({
        ...key,
        ...row,
        [panel]: facet === undefined ? named : `${row[facet]}, ${named}`,
      }))
      const known = found.get(table.id) ?? { ...table, columns: [...several, ...table.columns], rows: [] }
      found.set(table.id, { ...known, rows: [...known.rows, ...rows] })
    }
  return [...found.values()]
}

/** Names without the parameters that all of them begin or end with: of `{k=4,edits=delete}` and `{k=4,edits=insert}` the edits. */
function shortNames(names: readonly string[]): readonly string[] {
  const [first = ''] = names
  const shared = (at: (name: string, i: number) => string | undefined) => {
    let n = 0
    while (n < first.length && names.every((name) => at(name, n) === at(first, n))) n++
    return n
  }
  const start = first
    .slice(
      0,
      shared((name, i) => name[i]),
    )
    .search(/[^,{]*$/u)
  const same = shared((name, i) => name.at(-1 - i))
  const end = first.slice(first.length - same).search(/[,}]/u)
  return names.map((name) => name.slice(start, end === -1 ? name.length : name.length - same + end))
}

function figuresOf(blocks: readonly Block[]): Figure[] {
  const figures = blocks.flatMap(({ result }) => result.figures ?? [])
  return [...new Map(figures.map((figure) => [figure.id, { ...figure, facet: panel }])).values()]
}
