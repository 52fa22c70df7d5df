import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { csvLines } from '../core/csv.ts'
import { type Json, UsageError } from '../core/index.ts'
import { JUDGEMENTS, type Judgements, judgementsText, readJudgements } from '../extras/questions/index.ts'
import { type PeoplesLabels, type Run, readPeople, writePeople } from '../runner/index.ts'
import { explained } from '../store/index.ts'
import type { Label } from './agreement.ts'
import type { Environment } from './environment.ts'
import { readProvenance } from './provenance.ts'
import { onRun } from './runs.ts'

/** What judges and people say of the responses of a run. */
interface NewJudgements {
  /** Runs of judges. */
  readonly judges: readonly string[]
  /** A CSV file of people's labels. */
  readonly labels?: string | undefined
}

/** Adds judgements to a run. @returns the environment that scores by them */
export async function keepJudgements(
  here: Environment,
  dir: string,
  { judges, labels }: NewJudgements,
): Promise<Environment> {
  const all = new Map(readJudgements(dir))
  for (const run of judges)
    for (const { given, model, label } of await labelsOfJudges(await here.madeWith(readProvenance(run)), run)) {
      const { key } = given as { readonly key?: unknown }
      if (typeof key !== 'string')
        throw new UsageError(`${run} is not a judge run of own questions. Make one: touchstone analyze judge RUN`)
      all.set(key, { ...all.get(key), [model]: label })
    }
  if (judges.length > 0) await explained(dir, () => writeFile(join(dir, JUDGEMENTS), judgementsText(all)))
  if (labels !== undefined)
    await onRun(here, dir, { mode: 'read' }, async (run) =>
      writePeople(dir, new Map([...readPeople(dir), ...(await labelsIn(labels, run))])),
    )
  return here.madeWith(readProvenance(dir))
}

/** What judges said of the responses of shards. @throws UsageError where one judge said two things of one response */
export function joinedJudgements(shards: readonly string[]): Judgements {
  const all = new Map<string, { readonly [judge: string]: string }>()
  for (const shard of shards)
    for (const [key, labels] of readJudgements(shard)) {
      const before = all.get(key) ?? {}
      for (const [judge, label] of Object.entries(labels))
        if ((before[judge] ?? label) !== label)
          throw new UsageError(
            `${shard}: ${judge} calls a response ${label} that another shard holds as ${before[judge]}. Delete one of them from ${JUDGEMENTS} (${key.slice(0, 12)}…)`,
          )
      all.set(key, { ...before, ...labels })
    }
  return all
}

/** Keeps what judges and people said of the responses of shards in the run that these were merged into. */
export async function keepJoined(here: Environment, judgements: Judgements, shards: readonly string[], out: string) {
  if (judgements.size > 0) await explained(out, () => writeFile(join(out, JUDGEMENTS), judgementsText(judgements)))
  const truth = new Map<number, number>()
  for (const shard of shards) {
    const labels = readPeople(shard)
    if (labels.size === 0) continue
    const calls = new Map((await placesOf(here, out)).map(([call, place]) => [place, call]))
    for (const [call, place] of await placesOf(here, shard)) {
      const [value, merged] = [labels.get(call), calls.get(place)]
      if (value !== undefined && merged !== undefined) truth.set(merged, value)
    }
  }
  if (truth.size > 0) await writePeople(out, truth)
}

/** Calls by number, with what tells each from the others of its run. */
const placesOf = (here: Environment, dir: string) =>
  onRun(here, dir, { mode: 'read' }, async ({ ledger }) =>
    ledger
      .query('SELECT id, json_array(item, style, model, settings, sample) AS place FROM call')
      .map(({ id, place }) => [Number(id), String(place)] as const),
  )

const MARKS: { readonly [mark: string]: number } = { right: 1, correct: 1, '1': 1, wrong: 0, incorrect: 0, '0': 0 }

/**
 * The mean of people's marks by call. Columns: `mark` (right or wrong; others count as none) and `cell`, as the view writes them, or
 * `call` or `item`, `model`, `style` and `sample` of the rows of a run, as far as needed.
 */
async function labelsIn(path: string, { dir, ledger }: Run): Promise<PeoplesLabels> {
  const calls = ledger.query('SELECT id AS call, item, model, style, sample FROM call')
  const byItem = Map.groupBy(calls, ({ item }) => String(item))
  const byCall = new Map(calls.map((row) => [String(row['call']), row]))
  const marks = new Map<number, number[]>()
  for (const { line, row } of csvLines(await explained(path, () => readFile(path, 'utf8')))) {
    const mark = MARKS[(row['mark'] ?? '').trim().toLowerCase()]
    if (mark === undefined) continue
    const named = byCall.get(row['call'] ?? row['cell'] ?? '')
    const some = (named === undefined ? (byItem.get(row['item'] ?? '') ?? []) : [named]).filter((call) =>
      ['item', 'model', 'style', 'sample'].every(
        (name) => (row[name] ?? '') === '' || row[name] === String(call[name]),
      ),
    )
    const [one, other] = some
    if (one === undefined || other !== undefined)
      throw new UsageError(
        `${path}, line ${line}: expected one response of ${dir}, got ${some.length}. Give its call, or item, model, style and sample`,
      )
    const call = Number(one['call'])
    marks.set(call, [...(marks.get(call) ?? []), mark])
  }
  if (marks.size === 0) throw new UsageError(`${path} holds no labels: expected a column mark with right or wrong`)
  return new Map([...marks].map(([call, all]) => [call, all.reduce((sum, one) => sum + one, 0) / all.length]))
}

/** Labels of the judges of a run under the strict parser: one per judge and judged response. */
export const judgedLabels = async (here: Environment, dir: string): Promise<readonly Label[]> =>
  (await labelsOfJudges(here, dir)).map(({ item, model, label }) => ({ unit: item, rater: model, label }))

async function labelsOfJudges(here: Environment, dir: string) {
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    const labels: { readonly item: string; readonly given: Json; readonly model: string; readonly label: string }[] = []
    for await (const page of run.ledger.finishedCalls())
      for (const { item, model, outcome } of page) {
        const verdict = outcome.kind === 'answered' ? outcome.results['strict'] : undefined
        if (verdict?.kind === 'graded')
          labels.push({ item: item.id, given: item.given, model, label: String(verdict.answer) })
      }
    return labels
  })
}
