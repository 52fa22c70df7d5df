import { type Analysis, column, type Estimate, type Frame, type Table } from '../../../../core/index.ts'
import {
  allRows,
  analysisStream,
  clusterBootstrap,
  clustering,
  rowsByLevel,
  rowsWhere,
  stateCounts,
} from '../../../../libraries/statistics/index.ts'
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
      const read = rowsWhere(entries, (k) => strict.said[k] !== -1)
      return {
        model,
        ...found,
        read: read.length,
        ofRead: read.length === 0 ? null : correctedAccuracy(strict, read, options.seed, `${model}/read`),
        lenient: lenient === null ? null : correctedAccuracy(lenient, entries, options.seed, `${model}/lenient`),
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
  const rows = rowsByLevel(allRows(frame), codes, names.length)
  return new Map(
    names.map((name, code) => {
      const { unparsed, truncated, refused, failed } = stateCounts(frame, rows[code] as Int32Array)
      return [name, { unparsed, truncated, refused, failed }]
    }),
  )
}

/** Accuracy, and macro F1 of pooled answers, each resampled by grammar. */
function correctedRow(data: Responses, entries: Int32Array, seed: number, model: string) {
  const groups = [...byGrammar(data, entries).values()]
  const matrices = groups.map((inside) => matrix(data, inside))
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
  return {
    responses: entries.length,
    grammars: groups.length,
    cells: new Set(entries.map((k) => cellOf(data, k))).size,
    accuracy: correctedAccuracy(data, entries, seed, model),
    macroF1: clusterBootstrap(groups.length, entries.length, f1, {
      stream: analysisStream(seed, `relic/table1/macroF1/${model}`),
    }),
  }
}

/** Mean over cells of pooled grammars, resampled by grammar. */
function correctedAccuracy(data: Responses, entries: Int32Array, seed: number, model: string): Estimate | null {
  const { of: cell, count: cells } = clustering(entries.map((k) => cellOf(data, k)))
  const { of: grammar, count: grammars } = clustering(entries.map((k) => data.grammar[k] as number))
  // A row a grammar: how often each cell was asked, and how often it was right.
  const [asked, right] = [new Float64Array(grammars * cells), new Float64Array(grammars * cells)]
  for (let i = 0; i < entries.length; i++) {
    const at = (grammar[i] as number) * cells + (cell[i] as number)
    asked[at] = (asked[at] as number) + 1
    right[at] = (right[at] as number) + (data.correct[entries[i] as number] as number)
  }
  const [n, sums] = [new Float64Array(cells), new Float64Array(cells)]
  const accuracy = (counts: Int32Array): number | null => {
    n.fill(0)
    sums.fill(0)
    for (let g = 0; g < grammars; g++) {
      const times = counts[g] as number
      if (times === 0) continue
      for (let i = 0, at = g * cells; i < cells; i++, at++) {
        n[i] = (n[i] as number) + times * (asked[at] as number)
        sums[i] = (sums[i] as number) + times * (right[at] as number)
      }
    }
    let [total, used] = [0, 0]
    for (let i = 0; i < cells; i++) {
      if (n[i] === 0) continue
      total += (sums[i] as number) / (n[i] as number)
      used++
    }
    return used === 0 ? null : total / used
  }
  return clusterBootstrap(grammars, entries.length, accuracy, {
    stream: analysisStream(seed, `relic/table1/accuracy/${model}`),
  })
}

const { number } = column

const publishedTable = (rows: Table['rows']): Table => ({
  id: 'relic/table1',
  title: 'Class-balanced accuracy and macro F1, as published',
  columns: [
    column.text('model', 'Model'),
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
    column.text('model', 'Model'),
    number('responses', 'Responses'),
    number('grammars', 'Grammars'),
    number('cells', 'Cells'),
    column.estimate('accuracy', 'Accuracy'),
    column.estimate('macroF1', 'Macro F1'),
    number('read', 'Read'),
    column.estimate('ofRead', 'Accuracy of read'),
    column.estimate('lenient', 'Accuracy, lenient'),
  ],
  rows,
})
