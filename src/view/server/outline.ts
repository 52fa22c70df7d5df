import { type Task, UsageError } from '../../core/index.ts'
import { SELECTED } from '../../report/index.ts'
import type { RunFrames } from '../../store/index.ts'
import type { Outline } from '../api/index.ts'
import { outline } from '../api/index.ts'
import { featureReader } from './features.ts'
import type { ViewFolder } from './folders.ts'
import { selectionOf, type ViewedRun } from './open-runs.ts'
import { frameOf, strictFrame } from './query.ts'
import { responseMetrics } from './response-metrics.ts'
import { parserIn, runDocument } from './run-document.ts'
import { runSummary } from './summary.ts'

/** Tasks, features and parsers of a run, without statistics. */
export async function outlineOf(folder: ViewFolder, viewed: ViewedRun, parser: string): Promise<Outline> {
  const run = await runSummary(folder, viewed)
  const frames = await viewed.frames()
  const empty: Outline = { schema: 'touchstone/view-outline/1', run, parsers: [], features: [], numbers: [] }
  if (frames === null) return empty
  const parsers = parsersOf(
    viewed,
    frames.parsers.filter((name) => name !== SELECTED),
  )
  if (!parsers.includes(parser))
    throw new UsageError(`no row was read by the parser ${parser.slice(0, 100)}; there are ${parsers.join(', ')}`)
  const isAnswered = strictFrame(frames)
    .category('status')
    .levels.some((status) => status !== 'loglikelihood')
  return {
    ...empty,
    parsers: isAnswered ? parsers : [],
    features: await viewed.remembered('features', async () => featuresOf(frames, viewed.here.runnable)),
    numbers: await viewed.remembered(`numbers ${parser}`, async () => numbersOf(frames, parser)),
  }
}

/** Parsers of a run; the selected ones first, if there are any. */
export const parsersOf = ({ run }: ViewedRun, parsers: readonly string[]): string[] =>
  selectionOf(run).length > 0 ? [...new Set([SELECTED, ...parsers])] : [...parsers]

/** The parser if the address names none. */
export const defaultParser = ({ run }: ViewedRun): string => (selectionOf(run).length > 0 ? SELECTED : 'strict')

/** Most levels listed for one feature. */
const LEVELS = 24

export function featuresOf(frames: RunFrames, installed: readonly Task[]): Outline['features'] {
  const frame = strictFrame(frames)
  const task = frame.category('task')
  return frames.specs.flatMap(({ name: column, type }) => {
    if (!column.startsWith('feature_')) return []
    const name = column.slice('feature_'.length)
    const { read } = featureReader(frames, name)
    const { codes, levels } = frame.category(column)
    const values = levels.map(read).sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))
    const differing = [...tasksThatDiffer(task.codes, codes)].map((code) => task.levels[code] as string).sort()
    const hard = differing.filter((one) =>
      isDifficulty(
        installed.find((known) => known.name === one),
        name,
      ),
    )
    return [
      {
        name,
        type: type === 'boolean' ? 'boolean' : type === 'text' ? 'text' : 'number',
        levels: values.slice(0, LEVELS),
        more: values.length > LEVELS,
        tasks: differing,
        hard,
      },
    ]
  })
}

/** The tasks in which a feature has more than one value. */
function tasksThatDiffer(tasks: Int32Array, values: Int32Array): ReadonlySet<number> {
  const first = new Map<number, number>()
  const differ = new Set<number>()
  for (let row = 0; row < values.length; row++) {
    const [task, value] = [tasks[row] as number, values[row] as number]
    if (value < 0 || differ.has(task)) continue
    const before = first.get(task)
    if (before === undefined) first.set(task, value)
    else if (before !== value) differ.add(task)
  }
  return differ
}

const isDifficulty = (task: Task | undefined, feature: string): boolean =>
  task?.features.shape[feature]?.meta()?.['role'] === 'difficulty'

/** Numeric features and metrics that vary. */
function numbersOf(frames: RunFrames, parser: string): Outline['numbers'] {
  const frame = frameOf(frames, parser)
  const features = frames.specs.flatMap(({ name, type }) =>
    name.startsWith('feature_') && (type === 'integer' || type === 'number')
      ? [{ of: 'feature' as const, name: name.slice('feature_'.length), values: () => frame.number(name) }]
      : [],
  )
  const amounts = [...responseMetrics(frames.columns, frame)].map(([name, values]) => ({
    of: 'amount' as const,
    name,
    values,
  }))
  return [...features, ...amounts].flatMap(({ of, name, values }) => {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    // NaN is neither less nor more.
    for (const value of values()) {
      if (value < least) least = value
      if (value > most) most = value
    }
    return least < most ? [{ of, name, least, most }] : []
  })
}

export const outlineDocument = runDocument({
  schema: outline,
  answer: (viewed, query, { folder }) => outlineOf(folder, viewed, parserIn(query)),
})
