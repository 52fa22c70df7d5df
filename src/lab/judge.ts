import { mkdtemp, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type Imported,
  type Importer,
  type JudgedResponse,
  type JudgeItem,
  type Judging,
  sha256Hex,
  sortedJson,
  UsageError,
} from '../core/index.ts'
import { NO_FILES } from '../extras/exchange/logs/index.ts'
import { importRelease, type Run } from '../runner/index.ts'
import { explained, type FinishedCall, makeFolder } from '../store/index.ts'
import type { Label } from './agreement.ts'
import type { Environment } from './environment.ts'
import type { judgeRequest, Valid } from './requests.ts'
import { onRun, type RunResult, runImported } from './runs.ts'

/** A run of judges, and how many responses were sampled for it. */
export interface JudgeResult extends RunResult {
  readonly judged: number
  /** Responses that could be judged. */
  readonly of: number
}

/**
 * Asks judges to label responses of a run, in a separate run. Responses are sampled by a hash of their call, so that a
 * larger `perStratum` keeps those of a smaller one.
 *
 * @throws UsageError where no family defines how these responses are judged, or none match.
 */
export async function judgeRun(
  here: Environment,
  from: string,
  request: Valid<typeof judgeRequest>,
): Promise<JudgeResult> {
  const { perStratum = 2, judgedModels, seed = '1', ...options } = request
  const { judging, sample } = await onRun(here, from, { mode: 'read' }, async (run) => {
    const found = judgingOf(here, run)
    return { judging: found, sample: await sampled(run, found, { perStratum, judgedModels, seed }) }
  })
  if (sample.drawn.length === 0)
    throw new UsageError(
      `${from} holds no response to ${judging.of} that can be judged${judgedModels === undefined ? '' : ` of ${judgedModels.join(', ')}`}`,
    )
  // The run of the judges copies its items, so this folder is temporary.
  const beside = dirname(resolve(options.out))
  await makeFolder(beside)
  const place = await explained(beside, () => mkdtemp(join(beside, '.judged-')))
  try {
    const dir = join(place, basename(resolve(from)))
    await importRelease(
      {
        importers: [asImporter(judging, sample.drawn)],
        files: NO_FILES,
        dir,
        name: `judged: ${basename(resolve(from))}`,
      },
      await here.runContext(),
    )
    return { ...(await runImported(here, dir, options)), judged: sample.drawn.length, of: sample.of }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** Labels of the judges of a run under the strict parser: one per judge and judged response. */
export async function judgedLabels(here: Environment, dir: string): Promise<readonly Label[]> {
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    const labels: Label[] = []
    for await (const page of run.ledger.finishedCalls())
      for (const { item, model, outcome } of page) {
        const verdict = outcome.kind === 'answered' ? outcome.results['strict'] : undefined
        if (verdict?.kind === 'graded') labels.push({ unit: item.id, rater: model, label: String(verdict.answer) })
      }
    return labels
  })
}

function judgingOf({ families }: Environment, run: Run): Judging {
  const tasks = new Set(run.file.sources.map(({ task }) => task))
  const all = families.flatMap(({ judging = [] }) => judging)
  const found = all.find(({ of }) => tasks.has(of))
  if (found === undefined)
    throw new UsageError(
      `responses to ${[...tasks].join(', ')} cannot be judged; those to ${all.map(({ of }) => of).join(', ')} can`,
    )
  return found
}

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
async function sampled(run: Run, judging: Judging, { perStratum, judgedModels, seed }: Plan) {
  const kinds = new Map<string, Drawn[]>()
  const nameOf = namesOf(run)
  let of = 0
  for await (const page of run.ledger.finishedCalls())
    for (const cell of page) {
      const { item, response, model } = cell
      if (
        item.task !== judging.of ||
        response === null ||
        (judgedModels !== undefined && !judgedModels.includes(model))
      )
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
      list.push({ rank, group: item.group, question: () => judging.question(judgedOf(cell, judgedModel)) })
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

const asImporter = ({ task }: Judging, drawn: readonly Drawn[]): Importer => ({
  name: 'judged',
  task: task.name,
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
