import type { Analysis, Column, Estimate, Frame, Table } from '../../../../core/index.ts'
import { analysisStream, clusterBootstrap, stateCounts } from '../../../../stats/index.ts'
import { byGrammar, cellOf, meanAndSem, means, tally } from './cells.ts'
import { correctF1, matrix, publishedF1 } from './macro-f1.ts'
import { PAPER } from './paper.ts'
import { arms, byArm, needs, publishedResponses, type Responses, responses } from './responses.ts'

/** Overall performance: as published, and with our corrections. */
export const table1: Analysis = {
  id: 'relic/table1',
  title: 'Overall performance on recognition',
  source: { paper: PAPER, item: 'Table 1' },
  notes: [
    'As published: accuracy is the mean over the class x length cells of all grammars pooled, its error the standard error over these cells; macro F1 is per grammar, mean and standard error over grammars; percent.',
    'The published macro F1 counts `unknown` as a third class; macroF1 is over the two classes. `unknown` counts answers without yes or no under the published parser; the four columns after the scores are of the strict parser.',
    'Corrected: the same mean over cells, but only answers that the strict parser reads, with a bootstrap over grammars instead of errors over ordered cells. "Of read" leaves unread answers out of every cell; "lenient" counts what the lenient parser reads: prompts of the release asked for no closing line, so a strict reading of it counts form as error.',
  ],
  needs,
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const states = statesByArm(frame)
    const rows = byArm(published).map(({ model, entries }) => ({
      model,
      ...publishedRow(published, entries),
      ...states.get(model),
    }))
    const strict = responses(frame, 'correct')
    const looser = options.frameOf('lenient')
    const lenient = looser === null ? null : responses(looser, 'correct')
    const corrected = byArm(strict).map(({ model, entries }) => {
      const found = correctedRow(strict, entries, options.seed, model)
      const read = entries.filter((k) => strict.said[k] !== -1)
      return {
        model,
        ...found,
        read: read.length,
        ofRead: read.length === 0 ? null : correctedRow(strict, read, options.seed, `${model}/read`).accuracy,
        lenient: lenient === null ? null : correctedRow(lenient, entries, options.seed, `${model}/lenient`).accuracy,
      }
    })
    return { tables: [publishedTable(rows), correctedTable(corrected)] }
  },
}

function publishedRow(data: Responses, entries: Int32Array) {
  const cells = meanAndSem(
    means(
      tally(
        entries,
        (k) => cellOf(data, k),
        (k) => data.correct[k] as number,
      ).values(),
    ),
  )
  const matrices = [...byGrammar(data, entries).values()].map((inside) => matrix(data, inside))
  const score = (f1: typeof publishedF1) => meanAndSem(matrices.flatMap((counts) => f1(counts) ?? []))
  const [counted, two] = [score(publishedF1), score(correctF1)]
  return {
    responses: entries.length,
    grammars: matrices.length,
    unknown: entries.filter((k) => data.said[k] === -1).length,
    cells: cells?.n ?? 0,
    accuracy: percent(cells?.mean),
    accuracySem: percent(cells?.sem),
    macroF1Published: percent(counted?.mean),
    macroF1PublishedSem: percent(counted?.sem),
    macroF1: percent(two?.mean),
    macroF1Sem: percent(two?.sem),
  }
}

const percent = (x: number | null | undefined): number | null => (x === null || x === undefined ? null : 100 * x)

/** State counts of the strict parser, failed cells included, by the arm's name. */
function statesByArm(frame: Frame) {
  const { codes, names } = arms(frame)
  const rows = names.map((): number[] => [])
  for (let row = 0; row < codes.length; row++) rows[codes[row] as number]?.push(row)
  return new Map(
    names.map((name, code) => {
      const { unparsed, truncated, refused, failed } = stateCounts(frame, Int32Array.from(rows[code] as number[]))
      return [name, { unparsed, truncated, refused, failed }]
    }),
  )
}

/** Mean over cells of pooled grammars, and macro F1 of pooled answers, each resampled by grammar. */
function correctedRow(data: Responses, entries: Int32Array, seed: number, model: string) {
  const groups = [...byGrammar(data, entries).values()]
  const cells = groups.map((inside) =>
    tally(
      inside,
      (k) => cellOf(data, k),
      (k) => data.correct[k] as number,
    ),
  )
  const matrices = groups.map((inside) => matrix(data, inside))
  const keys = [...new Set(cells.flatMap((inside) => [...inside.keys()]))]
  const column = new Map(keys.map((key, i) => [key, i]))
  const flat = cells.map((inside) =>
    Array.from(inside, ([key, { n, sum }]) => [column.get(key) as number, n, sum] as const),
  )
  const accuracy = (counts: Int32Array): number | null => {
    const n = new Float64Array(keys.length)
    const sums = new Float64Array(keys.length)
    flat.forEach((inside, g) => {
      const times = counts[g] as number
      if (times === 0) return
      for (const [at, of, sum] of inside) {
        n[at] = (n[at] as number) + times * of
        sums[at] = (sums[at] as number) + times * sum
      }
    })
    let [total, used] = [0, 0]
    for (let i = 0; i < keys.length; i++) {
      if (n[i] === 0) continue
      total += (sums[i] as number) / (n[i] as number)
      used++
    }
    return used === 0 ? null : total / used
  }
  const f1 = (counts: Int32Array): number | null =>
    correctF1({
      labels: matrices[0]?.labels ?? [],
      n: entries.length,
      counts: [0, 1, 2].map((i) =>
        [0, 1, 2].map((j) =>
          matrices.reduce((sum, m, g) => sum + (counts[g] as number) * (m.counts[i]?.[j] as number), 0),
        ),
      ),
    })
  const bootstrap = (what: string, statistic: (counts: Int32Array) => number | null): Estimate | null =>
    clusterBootstrap(groups.length, entries.length, statistic, {
      stream: analysisStream(seed, `relic/table1/${what}/${model}`),
    })
  return {
    responses: entries.length,
    grammars: groups.length,
    cells: keys.length,
    accuracy: bootstrap('accuracy', accuracy),
    macroF1: bootstrap('macroF1', f1),
  }
}

const number = (key: string, label: string, unit?: string): Column => ({
  key,
  label,
  kind: 'number',
  ...(unit === undefined ? {} : { unit }),
})

const publishedTable = (rows: Table['rows']): Table => ({
  id: 'relic/table1',
  title: 'Class-balanced accuracy and macro F1, as published',
  columns: [
    { key: 'model', label: 'Model', kind: 'text' },
    number('responses', 'Responses'),
    number('grammars', 'Grammars'),
    number('unknown', 'Unknown'),
    number('cells', 'Cells'),
    number('accuracy', 'Accuracy', '%'),
    number('accuracySem', 'SEM', '%'),
    number('macroF1Published', 'Macro F1, published', '%'),
    number('macroF1PublishedSem', 'SEM', '%'),
    number('macroF1', 'Macro F1, two classes', '%'),
    number('macroF1Sem', 'SEM', '%'),
    number('unparsed', 'Unparsed (strict parser)'),
    number('truncated', 'Truncated'),
    number('refused', 'Refused'),
    number('failed', 'Failed'),
  ],
  rows,
})

const correctedTable = (rows: Table['rows']): Table => ({
  id: 'relic/table1-corrected',
  title: 'Class-balanced accuracy and macro F1, corrected',
  columns: [
    { key: 'model', label: 'Model', kind: 'text' },
    number('responses', 'Responses'),
    number('grammars', 'Grammars'),
    number('cells', 'Cells'),
    { key: 'accuracy', label: 'Accuracy', kind: 'estimate', unit: 'share' },
    { key: 'macroF1', label: 'Macro F1', kind: 'estimate', unit: 'share' },
    number('read', 'Read'),
    { key: 'ofRead', label: 'Accuracy of read', kind: 'estimate', unit: 'share' },
    { key: 'lenient', label: 'Accuracy, lenient', kind: 'estimate', unit: 'share' },
  ],
  rows,
})
