import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type Imported,
  type Importer,
  type JudgedResponse,
  type JudgeItem,
  sha256Hex,
  sortedJson,
  UsageError,
} from '../core/index.ts'
import { NO_FILES } from '../extras/exchange/logs/index.ts'
import { type Given, judgeFamily, judgeItem } from '../extras/questions/index.ts'
import { importRelease, type Run } from '../runner/index.ts'
import { explained, type FinishedCall, inTemporaryFolder } from '../store/index.ts'
import type { Environment } from './environment.ts'
import type { judgeRequest, Valid } from './requests/index.ts'
import { onRun, type RunResult, runImported } from './runs.ts'
import { scoreRun } from './score.ts'

/** A run of judges, and how many responses were sampled for it. */
export interface JudgeResult extends RunResult {
  readonly judged: number
  /** Responses that could be judged. */
  readonly of: number
  /** Own questions: responses of the judged run whose score is that of the judges now. */
  readonly scored?: number
}

/**
 * Asks judges to label responses of a run, in a separate run. Responses are sampled by a hash of their call, so that a
 * larger `perStratum` keeps those of a smaller one. Responses to own questions that a judge grades have its score from then on.
 *
 * @throws UsageError where no family defines how these responses are judged, or none match.
 */
export async function judgeRun(
  here: Environment,
  from: string,
  request: Valid<typeof judgeRequest>,
): Promise<JudgeResult> {
  const { perStratum, judgedModels, seed = '1', rubric: rubricFile, ...options } = request
  const rubric =
    rubricFile === undefined ? '' : (await explained(rubricFile, () => readFile(rubricFile, 'utf8'))).trim()
  const { judging, sample } = await onRun(here, from, { mode: 'read' }, async (run) => {
    const judging = judgingOf(here, run, rubric)
    // Scores of a part would leave the others wrong.
    if (judging.isOwn && perStratum != null)
      throw new UsageError('responses to own questions are all judged: leave out --per-stratum')
    const most = perStratum === undefined && !judging.isOwn ? 2 : (perStratum ?? null)
    return { judging, sample: await sampled(run, judging, { perStratum: most, judgedModels, seed }) }
  })
  if (sample.drawn.length === 0)
    throw new UsageError(
      `${from} holds no response that can be judged${judgedModels === undefined ? '' : ` of ${judgedModels.join(', ')}`}`,
    )
  // The run of the judges copies its items, so this folder is temporary.
  return inTemporaryFolder(dirname(resolve(options.out)), '.judged-', async (folder) => {
    const name = basename(resolve(from))
    const dir = join(folder, name)
    const release = { importers: [asImporter(judging, sample.drawn)], files: NO_FILES, dir, name: `judged: ${name}` }
    await importRelease(release, await judging.here.runContext())
    const result = { ...(await runImported(judging.here, dir, options)), judged: sample.drawn.length, of: sample.of }
    if (!judging.isOwn) return result
    return { ...result, scored: (await scoreRun(here, from, { judgements: [options.out] })).changed }
  })
}

/** How the responses of a run are judged. */
interface RunJudging {
  /** The judge's task. */
  readonly task: string
  /** Responses to own questions, by what the file says of them. */
  readonly isOwn: boolean
  readonly here: Environment
  readonly strata: readonly string[]
  isOf(item: FinishedCall['item']): boolean
  question(cell: FinishedCall, judgedModel: string): JudgeItem | null
}

function judgingOf(here: Environment, run: Run, rubric: string): RunJudging {
  const tasks = new Set(run.file.sources.map(({ task }) => task))
  const all = here.families.flatMap(({ judging = [] }) => judging)
  const found = all.find(({ of }) => tasks.has(of))
  if (found !== undefined)
    return {
      task: found.task.name,
      isOwn: false,
      here,
      strata: found.strata,
      isOf: ({ task }) => task === found.of,
      question: (cell, judgedModel) => found.question(judgedOf(cell, judgedModel)),
    }
  const own = new Set(
    here.plugins.flatMap(({ isData, family }) => (isData ? family.tasks.map(({ name }) => name) : [])),
  )
  if (![...tasks].some((task) => own.has(task)))
    throw new UsageError(
      `responses to ${[...tasks].join(', ')} cannot be judged; those to ${all.map(({ of }) => of).join(', ')} can, and those to own questions with --set grader=judge`,
    )
  return {
    task: 'judge/response',
    isOwn: true,
    here: withoutPlugins(here),
    strata: [],
    isOf: ({ task, given }) => own.has(task) && (given as Given).grader === 'judge',
    question: ({ item, response }, model) =>
      judgeItem(item.given as Given, item.answer, { text: response?.text ?? '', model, rubric }),
  }
}

/** The judges' questions need no file of the run. */
const withoutPlugins = (here: Environment): Environment => ({
  ...here,
  plugins: [],
  runnable: [...here.runnable, ...(judgeFamily.imported ?? [])],
  async runContext(...given) {
    const { plugins: _, ...context } = await here.runContext(...given)
    return {
      ...context,
      tasks: (name) => judgeFamily.imported?.find((one) => one.name === name) ?? context.tasks(name),
    }
  },
})

interface Drawn {
  readonly rank: string
  readonly group: string
  readonly question: () => JudgeItem | null
}

interface Plan {
  readonly perStratum: number | null
  readonly judgedModels: readonly string[] | undefined
  readonly seed: string
}

/** The responses with the lowest hashes of each stratum, in hash order: a run of judges may stop anywhere without bias. */
async function sampled(run: Run, judging: RunJudging, { perStratum, judgedModels, seed }: Plan) {
  const kinds = new Map<string, Drawn[]>()
  const nameOf = namesOf(run)
  let of = 0
  for await (const page of run.ledger.finishedCalls())
    for (const cell of page) {
      const { item, response, model } = cell
      if (!judging.isOf(item) || response === null || (judgedModels !== undefined && !judgedModels.includes(model)))
        continue
      of++
      const judgedModel = nameOf(cell)
      const kind = JSON.stringify([judgedModel, ...judging.strata.map((name) => item.features[name] ?? null)])
      const rank = sha256Hex(
        `touchstone/judge/1\n${seed}\n${sortedJson([item.id, cell.style, model, cell.settings, cell.sample])}`,
      )
      const list = kinds.get(kind) ?? []
      kinds.set(kind, list)
      if (perStratum !== null && list.length >= perStratum && rank >= (list.at(-1) as Drawn).rank) continue
      list.push({ rank, group: item.group, question: () => judging.question(cell, judgedModel) })
      if (perStratum !== null) list.sort(byRank).splice(perStratum)
    }
  return { of, drawn: [...kinds.values()].flat().sort(byRank) }
}

const byRank = (a: Drawn, b: Drawn): number => (a.rank < b.rank ? -1 : 1)

/** A judged model, with settings, style and configuration where the run has several. */
function namesOf({ file }: Run): (cell: FinishedCall) => string {
  const { models, sources } = file
  const styles = new Set(sources.flatMap((source) => source.styles))
  const several = (name: string): boolean => models.filter((one) => one.name === name).length > 1
  return ({ model, settings, style, item }) => {
    const apart = [
      ...(several(model) && settings !== '{}' ? [settings] : []),
      ...(styles.size > 1 && style !== 'zero-shot' ? [style] : []),
      ...(sources.length > 1 ? [item.config] : []),
    ]
    return apart.length === 0 ? model : `${model} (${apart.join(', ')})`
  }
}

function judgedOf({ item, shared, response, outcome }: FinishedCall, judgedModel: string): JudgedResponse {
  const strict = outcome.kind === 'answered' ? outcome.results['strict'] : undefined
  return {
    problem: { shared, given: item.given, answer: item.answer },
    features: item.features,
    judgedModel: judgedModel,
    finish: response?.finish ?? 'unknown',
    text: [response?.reasoning ?? '', response?.text ?? ''].filter((part) => part !== '').join('\n\n'),
    value: strict?.kind === 'graded' ? strict.value : null,
  }
}

const asImporter = ({ task }: RunJudging, drawn: readonly Drawn[]): Importer => ({
  name: 'judged',
  task,
  describe: 'responses of a run',
  async *read(): AsyncGenerator<Imported> {
    const groups = new Set<string>()
    for (const { rank, group, question } of drawn) {
      const asked = question()
      if (asked === null) continue
      const { shared, given, answer, features } = asked
      if (!groups.has(group)) {
        groups.add(group)
        yield { kind: 'group', key: group, shared }
      }
      yield { kind: 'item', key: rank.slice(0, 16), group, given, answer, features }
    }
  },
})
