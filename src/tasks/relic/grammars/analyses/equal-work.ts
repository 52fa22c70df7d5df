import {
  type Analysis,
  type AnalysisResult,
  type Column,
  column,
  figure,
  marksBy,
  type Table,
  table,
} from '../../../../core/index.ts'
import { analysisStream, clusterBootstrap, mean, meanOrNull } from '../../../../libraries/statistics/index.ts'
import { type Asked, arm, armsOf, cellOf, inGroups, NEEDS } from './asked.ts'

const { text, number, share, estimate } = column

const DRAWS = 500

/** Cells common to all sets. Where there are none, the set that shares fewest with the others is dropped, again and again. */
function sharedCells(sets: readonly ReadonlySet<string>[]): readonly string[] {
  const shared = [...(sets[0] ?? [])].filter((cell) => sets.every((own) => own.has(cell)))
  if (shared.length > 0 || sets.length < 3) return shared
  const common = (own: ReadonlySet<string>): number =>
    sets.reduce((total, other) => total + (other === own ? 0 : [...own].filter((cell) => other.has(cell)).length), 0)
  const least = sets.toSorted((a, b) => common(a) - common(b))[0]
  return sharedCells(sets.filter((own) => own !== least))
}

interface Named {
  readonly name: string
  readonly asked: readonly Asked[]
}

/** Accuracies of sets of responses at equal rules and work: mean over shared cells, each weighing the same. */
function atEqualWork(sets: readonly Named[], seed: number) {
  if (sets.length < 2) return []
  const cells = sharedCells(sets.map(({ asked }) => new Set(asked.map(cellOf))))
  return sets.map(({ name, asked }) => {
    const own = new Set(asked.map(cellOf))
    const shared = cells.every((cell) => own.has(cell)) ? cells : []
    const groups = inGroups(asked)
    const byCell = shared.map((cell) =>
      groups.map((inside) => inside.filter((one) => cellOf(one) === cell).map(({ right }) => right)),
    )
    const over = (counts: ArrayLike<number>): number | null =>
      meanOrNull(
        byCell.flatMap((own) => {
          let [n, right] = [0, 0]
          for (const [g, values] of own.entries())
            for (const value of values) [n, right] = [n + counts[g]!, right + counts[g]! * value]
          return n === 0 ? [] : [right / n]
        }),
      )
    const equal = clusterBootstrap(groups.length, asked.length, over, {
      stream: analysisStream(seed, `relic/at-equal-work/${name}`),
      draws: DRAWS,
    })
    return { name, n: asked.length, cells: shared.length, accuracy: mean(asked.map(({ right }) => right)), equal }
  })
}

const notes = [
  'At equal rules and work: mean of the accuracies in the bands of rules (four times) and work (doublings) that all have; what shares none with the others has no such accuracy. Intervals by bootstrap over grammars.',
]

type Rows = Table['rows']

function shown(id: string, title: string, columns: readonly Column[], x: string, rows: Rows): AnalysisResult {
  const found = table(
    id,
    title,
    [
      ...columns,
      number('n', 'Responses'),
      share('accuracy', 'Accuracy'),
      number('cells', 'Shared bands'),
      estimate('equal', 'Accuracy at equal rules and work'),
    ],
    rows,
  )
  const marks = marksBy('model', 'interval', 'point')
  const facet = x === 'task' ? {} : { facet: 'task' }
  return {
    tables: [found],
    figures: [figure(found, { x: { key: x, scale: 'category' }, y: 'equal', ...facet, marks })],
  }
}

/** The tasks side by side: who parses, who only recognises, who can write but not read. */
export const sideBySide: Analysis = {
  id: 'relic/side-by-side',
  title: 'The tasks at equal rules and work',
  notes,
  needs: NEEDS,
  run(frame, { seed }) {
    const rows = [...Map.groupBy(armsOf(frame), ({ model }) => model)].flatMap(([model, arms]) =>
      atEqualWork(
        arms.map(({ task, asked }) => ({ name: task, asked })),
        seed,
      ).map(({ name: task, ...found }) => ({ task, model, ...found })),
    )
    return shown('relic/side-by-side', 'Tasks at equal rules and work', arm, 'task', rows)
  },
}

/** Class of the grammar against work, which differ together where classes are compared as they come. */
export const forms: Analysis = {
  id: 'relic/forms',
  title: 'Forms of grammars at equal rules and work',
  notes,
  needs: [...NEEDS, 'feature_form'],
  run(frame, { seed }) {
    const { codes, levels } = frame.category('feature_form')
    const rows = armsOf(frame).flatMap(({ asked, ...key }) => {
      const sets = [...Map.groupBy(asked, ({ row }) => levels[codes[row] as number] ?? 'none')]
      return atEqualWork(
        sets.map(([name, own]) => ({ name, asked: own })),
        seed,
      ).map(({ name: form, ...found }) => ({ ...key, form, ...found }))
    })
    return shown('relic/forms', 'Forms at equal rules and work', [...arm, text('form', 'Form')], 'form', rows)
  },
}
