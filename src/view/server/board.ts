import { makeReport, SELECTED } from '../../report/index.ts'
import { adaptOf, blindItems, untilOf } from '../../runner/index.ts'
import type { RowsQuery } from '../../store/index.ts'
import type { Board } from '../api/index.ts'
import { amountsOf, quoted } from './amounts.ts'
import { type Choice, chosenFrames, levelOf } from './chosen.ts'
import type { ViewedRun } from './open-runs.ts'
import type { Place } from './places.ts'
import { runSummary } from './summary.ts'
import { plainTable } from './tables.ts'

const SHOWN = [
  'core/selection',
  'core/until',
  'core/adapt',
  'core/accuracy',
  'core/measures',
  'core/ranks',
  'core/paired',
  'core/pooled',
]

/** Tables of every two models: of more models than this they take minutes, and nobody reads them. */
const OF_PAIRS = ['core/ranks', 'core/paired', 'core/pooled']
const PAIRED = 60

/** What can be said of some of the items: when a run stops, what it chose and how tasks differ is of all of them. */
const OF_CHOSEN = ['core/accuracy', 'core/measures', 'core/paired']

export interface BoardRequest {
  /** null: the one that the run has chosen, or the strict one. */
  readonly parser: string | null
  /** null: all items. */
  readonly choice: Choice | null
}

/** Who did how well: the tables of the report, number for number; of some of the items with intervals for all looks. */
export async function boardOf(place: Place, viewed: ViewedRun, { parser, choice }: BoardRequest): Promise<Board> {
  const run = await runSummary(place, viewed)
  const all = await viewed.frames()
  const rows = await viewed.rows()
  const empty: Board = {
    schema: 'touchstone/view-board/1',
    run,
    chosen: null,
    parsers: [],
    tables: [],
    leftOut: [],
    features: [],
    numbers: [],
  }
  if (all === null || rows === null) return empty
  const { frames, chosen } = await chosenFrames(viewed, all, choice)
  const selection = viewed.run.file.models.flatMap((model) => model.choices ?? [])
  const many = run.models.length > PAIRED
  const shown = choice === null ? SHOWN : OF_CHOSEN
  const only = many ? shown.filter((id) => !OF_PAIRS.includes(id)) : shown
  const report = await viewed.remembered(`report ${JSON.stringify([parser, choice])}`, async () => {
    const [until, adapt] = [await untilOf(viewed.run), await adaptOf(viewed.run)]
    return makeReport({
      ...(until === null ? {} : { until }),
      ...(adapt === null ? {} : { adapt }),
      run: place.path,
      frames,
      tasks: viewed.here.runnable,
      selection,
      blind: blindItems(viewed.run),
      only,
      ...(choice === null ? {} : { level: levelOf(choice.looks) }),
      ...(parser === null ? {} : { parser }),
    })
  })
  return {
    ...empty,
    chosen,
    parsers: report.parser === null ? [] : selection.length > 0 ? [SELECTED, ...all.parsers] : [...all.parsers],
    tables: report.analyses.flatMap(({ tables }) => tables.map(plainTable)),
    leftOut: [
      ...(many
        ? [{ id: 'core/paired', reason: `${run.models.length} models: compare two of them on the page "compare"` }]
        : []),
      ...report.leftOut.map(({ id, reason }) => ({ id, reason })),
    ],
    features: await viewed.remembered('features', () => featuresOf(rows)),
    numbers: await viewed.remembered(`numbers ${parser ?? ''}`, () => numbersOf(rows, parser ?? 'strict')),
  }
}

/** Levels that are told of one feature. */
const LEVELS = 24

async function featuresOf(rows: RowsQuery): Promise<Board['features']> {
  const features: Board['features'] = []
  const own = rows.columns.filter(({ name }) => name.startsWith('feature_'))
  // Of all features in one pass over the rows.
  const differ = own.map(({ name }, i) => `MIN(${quoted(name)}) <> MAX(${quoted(name)}) AS "differ${i}"`)
  const tasks = await rows.run(`SELECT ${['task', ...differ].join(', ')} FROM rows GROUP BY task ORDER BY task`)
  for (const [i, { name, type }] of own.entries()) {
    const column = quoted(name)
    const levels = await rows.run(
      `SELECT DISTINCT ${column} AS level FROM rows WHERE ${column} IS NOT NULL ORDER BY level LIMIT ${LEVELS + 1}`,
    )
    features.push({
      name: name.slice('feature_'.length),
      type: type === 'boolean' ? 'boolean' : type === 'text' || type === 'json' ? 'text' : 'number',
      levels: levels.slice(0, LEVELS).map(({ level }) => level ?? null),
      more: levels.length > LEVELS,
      tasks: tasks.filter((row) => row[`differ${i}`] === true).map(({ task }) => String(task)),
    })
  }
  return features
}

/** Whatever number an item or a response has, and has not always the same. */
async function numbersOf(rows: RowsQuery, parser: string): Promise<Board['numbers']> {
  const all = [
    ...rows.columns.flatMap(({ name, type }) =>
      name.startsWith('feature_') && (type === 'integer' || type === 'number')
        ? [{ of: 'feature' as const, name: name.slice('feature_'.length), sql: quoted(name) }]
        : [],
    ),
    ...[...amountsOf(rows.columns, parser)].map(([name, sql]) => ({ of: 'amount' as const, name, sql })),
  ]
  const asked = all.map(({ sql }, i) => `MIN(${sql}) AS "least${i}", MAX(${sql}) AS "most${i}"`)
  const [ends] = await rows.run(`SELECT ${asked.join(', ')} FROM rows`)
  return all.flatMap(({ of, name }, i) => {
    const [least, most] = [ends?.[`least${i}`], ends?.[`most${i}`]]
    return typeof least === 'number' && typeof most === 'number' && least < most ? [{ of, name, least, most }] : []
  })
}
