import { mkdtemp, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type FileTree,
  type Imported,
  type Importer,
  type JudgedResponse,
  type JudgeItem,
  type Judging,
  sha256Hex,
  sortedJson,
  UsageError,
} from '../core/index.ts'
import type { Run } from '../runner/index.ts'
import type { FinishedCall } from '../store/index.ts'
import type { Label } from './agreement.ts'
import type { Installed } from './installed.ts'
import { type AskImportedRequest, askImported, onRun, type RunResult } from './runs.ts'

/** Which responses of a run are judged, and by whom. */
export interface JudgeRequest extends Omit<AskImportedRequest, 'limit' | 'styles'> {
  /** At most so many responses of each respondent and kind of item (in RELIC: length and class); null: all. Left out: 2. */
  readonly perStratum?: number | null
  /** Only responses of these models; left out: of all. */
  readonly respondents?: readonly string[]
  /** Which responses are drawn; left out: `1`. */
  readonly seed?: string
}

/** A run in which judges were asked, and how many responses were drawn for it. */
export interface JudgeResult extends RunResult {
  readonly judged: number
  /** Responses that could have been. */
  readonly of: number
}

/**
 * Puts responses of a run to judges: a run of its own, with the same limits, ledger and reports as any other. The responses
 * are drawn by a hash of their cell, so that a larger `perStratum` keeps those of a smaller one.
 *
 * @throws UsageError where no family says how these responses are judged, or none fits.
 */
export async function judgeRun(here: Installed, from: string, request: JudgeRequest): Promise<JudgeResult> {
  const { perStratum = 2, respondents, seed = '1', ...asked } = request
  const { importRelease } = await import('../runner/index.ts')
  const { explained, makeFolder } = await import('../store/index.ts')
  const { judging, sample } = await onRun(here, from, { mode: 'read' }, async (run) => {
    const found = judgingOf(here, run)
    return { judging: found, sample: await sampled(run, found, { perStratum, respondents, seed }) }
  })
  if (sample.drawn.length === 0)
    throw new UsageError(
      `${from} holds no response to ${judging.of} that can be judged${respondents === undefined ? '' : ` of ${respondents.join(', ')}`}`,
    )
  // The run of the judges copies what it asks, so the folder that it is copied from does not last.
  const beside = dirname(resolve(asked.out))
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
    return { ...(await askImported(here, dir, asked)), judged: sample.drawn.length, of: sample.of }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** What the judges of a run said, strictly read: a label a judge and judged response. */
export async function judgedLabels(here: Installed, dir: string): Promise<readonly Label[]> {
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

function judgingOf({ families }: Installed, run: Run): Judging {
  const tasks = new Set(run.file.sources.map(({ task }) => task))
  const all = families.flatMap(({ judging = [] }) => judging)
  const found = all.find(({ of }) => tasks.has(of))
  if (found === undefined)
    throw new UsageError(
      `nothing says how responses to ${[...tasks].join(', ')} are judged; those to ${all.map(({ of }) => of).join(', ')} are`,
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
  readonly respondents: readonly string[] | undefined
  readonly seed: string
}

/** The responses with the lowest hashes of each kind, in the order of their hashes: a judge's money ends anywhere without bias. */
async function sampled(run: Run, judging: Judging, { perStratum, respondents, seed }: Plan) {
  const kinds = new Map<string, Drawn[]>()
  const nameOf = namesOf(run)
  let of = 0
  for await (const page of run.ledger.finishedCalls())
    for (const cell of page) {
      const { item, response, model } = cell
      if (item.task !== judging.of || response === null || (respondents !== undefined && !respondents.includes(model)))
        continue
      of++
      const respondent = nameOf(cell)
      const kind = JSON.stringify([respondent, ...judging.strata.map((name) => item.features[name] ?? null)])
      const rank = sha256Hex(
        `touchstone/judge/1\n${seed}\n${sortedJson([item.id, cell.style, model, cell.settings, cell.sample])}`,
      )
      const list = kinds.get(kind) ?? []
      kinds.set(kind, list)
      if (perStratum !== null && list.length >= perStratum && rank >= (list.at(-1) as Drawn).rank) continue
      list.push({ rank, group: item.group, question: () => judging.question(judgedOf(cell, respondent)) })
      if (perStratum !== null) list.sort(byRank).splice(perStratum)
    }
  return { of, drawn: [...kinds.values()].flat().sort(byRank) }
}

const byRank = (a: Drawn, b: Drawn): number => (a.rank < b.rank ? -1 : 1)

/** A respondent by its model, with settings, style and config where the run has several. */
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

function judgedOf({ item, shared, response, outcome }: FinishedCall, respondent: string): JudgedResponse {
  const strict = outcome.kind === 'answered' ? outcome.results['strict'] : undefined
  return {
    problem: { shared, given: item.given, answer: item.answer },
    features: item.features,
    judgedModel: respondent,
    finish: response?.finish ?? 'unknown',
    text: [response?.reasoning ?? '', response?.text ?? ''].filter((part) => part !== '').join('\n\n'),
    value: strict?.kind === 'graded' ? strict.value : null,
  }
}

const NO_FILES: FileTree = {
  async *list() {},
  async *text() {},
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
