import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { csvLines } from '../core/csv.ts'
import { type Json, UsageError } from '../core/index.ts'
import { type Given, type Judgement, judgementKey, judgementsFile, readJudgements } from '../extras/questions/index.ts'
import type { Run } from '../runner/index.ts'
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

/** Adds judgements to a run of own questions. @returns the environment that scores by them */
export async function keepJudgements(
  here: Environment,
  dir: string,
  { judges, labels }: NewJudgements,
): Promise<Environment> {
  const all = new Map(readJudgements(dir))
  const add = (key: string, { labels: more = {}, truth }: Partial<Judgement>) => {
    const known = all.get(key) ?? { labels: {}, truth: null }
    all.set(key, { labels: { ...known.labels, ...more }, truth: truth ?? known.truth })
  }
  for (const run of judges)
    for (const { given, model, label } of await labelsOfJudges(await here.madeWith(readProvenance(run)), run)) {
      const key = (given as { readonly key?: unknown }).key
      if (typeof key !== 'string')
        throw new UsageError(`${run} is no run of judges of own questions: touchstone analyze judge RUN`)
      add(key, { labels: { [model]: label } })
    }
  if (labels !== undefined)
    for (const [key, marks] of await onRun(here, dir, { mode: 'read' }, (run) => marksIn(labels, run)))
      add(key, { truth: marks.reduce((sum, mark) => sum + mark, 0) / marks.length })
  const [name, text] = judgementsFile(all)
  await explained(dir, () => writeFile(join(dir, name), text))
  return here.madeWith(readProvenance(dir))
}

const MARKS: { readonly [mark: string]: number } = { right: 1, correct: 1, '1': 1, wrong: 0, incorrect: 0, '0': 0 }

/**
 * People's labels of responses by the key of their judgement. Columns: `mark` (right or wrong; others count as none) and `cell`, as the
 * view writes them, or `item` and `model`, with `style` and `sample` where there are several.
 */
async function marksIn(path: string, run: Run): Promise<ReadonlyMap<string, readonly number[]>> {
  const byCell = new Map<string, string>()
  for await (const page of run.ledger.responses())
    for (const { call, item, response } of page)
      byCell.set(String(call), judgementKey(item.given as Given, response.text) ?? '')
  const byItem = new Map<string, { readonly row: { readonly [column: string]: string }; readonly key: string }[]>()
  for await (const page of run.ledger.finishedCalls())
    for (const { item, model, style, sample, response } of page) {
      const list = byItem.get(item.id) ?? []
      byItem.set(item.id, list)
      const key = judgementKey(item.given as Given, response?.text ?? '')
      if (key !== null) list.push({ row: { model, style, sample: String(sample) }, key })
    }
  const found = new Map<string, number[]>()
  for (const { line, row } of csvLines(await explained(path, () => readFile(path, 'utf8')))) {
    const mark = MARKS[(row['mark'] ?? row['label'] ?? '').toLowerCase()]
    if (mark === undefined) continue
    const { cell, item = '' } = row
    const some = (byItem.get(item) ?? []).filter((one) =>
      Object.entries(one.row).every(([column, value]) => (row[column] ?? '') === '' || row[column] === value),
    )
    const keys = cell === undefined ? [...new Set(some.map(({ key }) => key))] : [byCell.get(cell) ?? '']
    const [key = ''] = keys
    if (key === '' || keys.length > 1)
      throw new UsageError(
        `${path}, line ${line}: expected one response of ${run.dir}, got ${key === '' ? 'none' : keys.length}. Give cell (as the view does), or item and model, style, sample`,
      )
    found.set(key, [...(found.get(key) ?? []), mark])
  }
  if (found.size === 0) throw new UsageError(`${path} holds no labels: expected a column mark with right or wrong`)
  return found
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
