import { type Analysis, column, type Estimate, type Frame, table } from '../../../../core/index.ts'
import {
  allRows,
  analysisStream,
  clusterBootstrap,
  clustering,
  rowsByLevel,
  rowsWhere,
  stateCounts,
} from '../../../../libraries/statistics/index.ts'
import {
  arms,
  byArm,
  confusionOf,
  correctF1,
  needs,
  publishedF1,
  publishedResponses,
  type Responses,
  strictResponses,
} from './responses.ts'
import { byGrammar, cellOf, meanAndSem, means, PAPER, tally } from './tallies.ts'

const { text, number, estimate } = column

/** Overall performance: as published, and with our corrections. */
export const table1: Analysis = {
  id: 'relic/table1',
  title: 'Overall performance on recognition',
  source: { paper: PAPER, item: 'Table 1' },
  notes: [
    'As published: mean over the class x length cells of all grammars pooled, SEM over cells; macro F1 per grammar, mean and SEM over grammars; percent.',
    'Published macro F1 counts `unknown` (no yes or no under the published parser) as a third class. The last four columns: strict parser.',
    'Corrected: the same mean over cells, strict parser, bootstrap over grammars. Parsed only: without unparsed responses. Lenient: lenient parser.',
  ],
  needs,
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const states = statesByArm(frame)
    const strict = strictResponses(frame)
    const lenientFrame = options.frameOf('lenient')
    const lenient = lenientFrame === null ? null : strictResponses(lenientFrame)
    const { seed } = options
    return {
      tables: [
        table(
          'relic/table1',
          'Class-balanced accuracy and macro F1, as published',
          [
            text('model', 'Model'),
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
            number('failed', 'Errors'),
          ],
          byArm(published).map(({ model, entries }) => ({
            model,
            ...publishedRow(published, entries),
            ...states.get(model),
          })),
        ),
        table(
          'relic/table1-corrected',
          'Class-balanced accuracy and macro F1, corrected',
          [
            text('model', 'Model'),
            number('responses', 'Responses'),
            number('grammars', 'Grammars'),
            number('cells', 'Cells'),
            estimate('accuracy', 'Accuracy'),
            estimate('macroF1', 'Macro F1'),
            number('parsed', 'Parsed'),
            estimate('parsedOnly', 'Accuracy (parsed only)'),
            estimate('lenient', 'Accuracy, lenient'),
          ],
          byArm(strict).map(({ model, entries }) => {
            const parsed = rowsWhere(entries, (k) => strict.said[k] !== -1)
            return {
              model,
              ...correctedRow(strict, entries, seed, model),
              parsed: parsed.length,
              parsedOnly: parsed.length === 0 ? null : correctedAccuracy(strict, parsed, seed, `${model}/read`),
              lenient: lenient === null ? null : correctedAccuracy(lenient, entries, seed, `${model}/lenient`),
            }
          }),
        ),
      ],
    }
  },
}

const percent = (x: number | null | undefined): number | null => (x === null || x === undefined ? null : 100 * x)

function publishedRow(data: Responses, entries: Int32Array) {
  const cells = tally(
    entries,
    (k) => cellOf(data, k),
    (k) => data.correct[k] as number,
  )
  const accuracy = meanAndSem(means(cells.values()))
  const confusions = [...byGrammar(data, entries).values()].map((inside) => confusionOf(data, inside))
  const f1Of = (f1: typeof publishedF1) => meanAndSem(confusions.flatMap((counts) => f1(counts) ?? []))
  const [three, two] = [f1Of(publishedF1), f1Of(correctF1)]
  return {
    responses: entries.length,
    grammars: confusions.length,
    unknown: entries.filter((k) => data.said[k] === -1).length,
    cells: accuracy?.n ?? 0,
    accuracy: percent(accuracy?.mean),
    accuracySem: percent(accuracy?.sem),
    macroF1Published: percent(three?.mean),
    macroF1PublishedSem: percent(three?.sem),
    macroF1: percent(two?.mean),
    macroF1Sem: percent(two?.sem),
  }
}

/** Counts by status under the strict parser, errors included, by the arm's name. */
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

/** Accuracy, and macro F1 of pooled responses, each resampled by grammar. */
function correctedRow(data: Responses, entries: Int32Array, seed: number, model: string) {
  const groups = [...byGrammar(data, entries).values()]
  const confusions = groups.map((inside) => confusionOf(data, inside))
  const f1 = (counts: Int32Array): number | null =>
    correctF1({
      labels: confusions[0]?.labels ?? [],
      n: entries.length,
      counts: [0, 1, 2].map((i) =>
        [0, 1, 2].map((j) =>
          confusions.reduce((sum, one, g) => sum + (counts[g] as number) * (one.counts[i]?.[j] as number), 0),
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
  // One row per grammar: calls in each cell, and correct ones.
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
