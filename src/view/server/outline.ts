import { type Task, UsageError } from '../../core/index.ts'
import { SELECTED } from '../../report/index.ts'
import type { RowsQuery } from '../../store/index.ts'
import type { Outline } from '../api/index.ts'
import { amountsOf, quoted, type Reader } from './amounts.ts'
import type { ViewFolder } from './folders.ts'
import { selectionOf, type ViewedRun } from './open-runs.ts'
import { runSummary } from './summary.ts'

/** What a run asked and who reads it: all that a page needs to know before it asks for its own, and nothing that takes a report. */
export async function outlineOf(place: ViewFolder, viewed: ViewedRun, parser: string): Promise<Outline> {
  const run = await runSummary(place, viewed)
  const rows = await viewed.rows()
  const empty: Outline = { schema: 'touchstone/view-outline/1', run, parsers: [], features: [], numbers: [] }
  if (rows === null) return empty
  const parsers = parsersOf(viewed, readersOf(rows))
  if (!parsers.includes(parser))
    throw new UsageError(`no row was read by the parser ${parser.slice(0, 100)}; there are ${parsers.join(', ')}`)
  const answers = await viewed.remembered('answers', () =>
    rows.run("SELECT 1 FROM rows WHERE state <> 'measured' LIMIT 1"),
  )
  return {
    ...empty,
    parsers: answers.length === 0 ? [] : parsers,
    features: await viewed.remembered('features', () => featuresOf(rows, viewed.here.runnable)),
    numbers: await viewed.remembered(`numbers ${parser}`, () => numbersOf(rows, readerOf(viewed, parser))),
  }
}

/** How answers can be read: as it was chosen for each model first, where that was. */
export const parsersOf = ({ run }: ViewedRun, parsers: readonly string[]): string[] =>
  selectionOf(run).length > 0 ? [...new Set([SELECTED, ...parsers])] : [...parsers]

/** Whose readings count where an address does not say. */
export const firstReader = ({ run }: ViewedRun): string => (selectionOf(run).length > 0 ? SELECTED : 'strict')

export const readerOf = ({ run }: ViewedRun, parser: string): Reader => ({ parser, choices: selectionOf(run) })

/** Parsers with columns of their own, and the strict one, which has the plain names. */
const readersOf = ({ columns }: RowsQuery): readonly string[] => [
  ...new Set([
    'strict',
    ...columns.flatMap(({ name }) => (name.includes('@') ? [name.slice(name.indexOf('@') + 1)] : [])),
  ]),
]

/** Levels that are told of one feature. */
const LEVELS = 24

async function featuresOf(rows: RowsQuery, installed: readonly Task[]): Promise<Outline['features']> {
  const features: Outline['features'] = []
  const own = rows.columns.filter(({ name }) => name.startsWith('feature_'))
  // Of all features in one pass over the rows.
  const differ = own.map(({ name }, i) => `MIN(${quoted(name)}) <> MAX(${quoted(name)}) AS "differ${i}"`)
  const tasks = await rows.run(`SELECT ${['task', ...differ].join(', ')} FROM rows GROUP BY task ORDER BY task`)
  for (const [i, { name, type }] of own.entries()) {
    const column = quoted(name)
    const levels = await rows.run(
      `SELECT DISTINCT ${column} AS level FROM rows WHERE ${column} IS NOT NULL ORDER BY level LIMIT ${LEVELS + 1}`,
    )
    const bare = name.slice('feature_'.length)
    const differing = tasks.filter((row) => row[`differ${i}`] === true).map(({ task }) => String(task))
    features.push({
      name: bare,
      type: type === 'boolean' ? 'boolean' : type === 'text' || type === 'json' ? 'text' : 'number',
      levels: levels.slice(0, LEVELS).map(({ level }) => level ?? null),
      more: levels.length > LEVELS,
      tasks: differing,
      hard: differing.filter((task) =>
        isDifficulty(
          installed.find((one) => one.name === task),
          bare,
        ),
      ),
    })
  }
  return features
}

const isDifficulty = (task: Task | undefined, feature: string): boolean =>
  task?.features.shape[feature]?.meta()?.['role'] === 'difficulty'

/** Whatever number an item or a response has, and has not always the same. */
async function numbersOf(rows: RowsQuery, reader: Reader): Promise<Outline['numbers']> {
  const all = [
    ...rows.columns.flatMap(({ name, type }) =>
      name.startsWith('feature_') && (type === 'integer' || type === 'number')
        ? [{ of: 'feature' as const, name: name.slice('feature_'.length), sql: quoted(name) }]
        : [],
    ),
    ...[...amountsOf(rows.columns, reader)].map(([name, sql]) => ({ of: 'amount' as const, name, sql })),
  ]
  const asked = all.map(({ sql }, i) => `MIN(${sql}) AS "least${i}", MAX(${sql}) AS "most${i}"`)
  const [ends] = await rows.run(`SELECT ${asked.join(', ')} FROM rows`)
  return all.flatMap(({ of, name }, i) => {
    const [least, most] = [ends?.[`least${i}`], ends?.[`most${i}`]]
    return typeof least === 'number' && typeof most === 'number' && least < most ? [{ of, name, least, most }] : []
  })
}
