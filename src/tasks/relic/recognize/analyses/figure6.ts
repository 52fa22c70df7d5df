import { type Analysis, column, type Frame, type Table } from '../../../../core/index.ts'
import { clusteredMeanEstimate, mean } from '../../../../libraries/statistics/index.ts'
import { byLength, means, tally } from './cells.ts'
import { PAPER } from './paper.ts'
import { byArm, needs, publishedResponses, type Responses } from './responses.ts'
import { spentIn } from './spent.ts'

/** How many tokens models spend on longer strings. */
export const figure6: Analysis = {
  id: 'relic/figure6',
  title: 'Test-time compute by string length',
  source: { paper: PAPER, item: 'Figures 6 (top) and 12' },
  notes: [
    "Completion tokens, reasoning included: mean of each class at each length, then the mean of the two. Relative: over the largest of the model's lengths. Models without token counts are left out.",
    'Corrected: the mean over responses of a length with an interval clustered by grammar.',
  ],
  needs,
  run(frame, options) {
    const data = publishedResponses(frame, options)
    const rows = byArm(data).flatMap(({ model, entries }) => curve(frame, data, model, entries))
    if (rows.length === 0) return { tables: [] }
    const table: Table = {
      id: 'relic/figure6',
      title: 'Completion tokens by length',
      columns: [
        column.text('model', 'Model'),
        column.number('length', 'Length', 'tokens'),
        column.number('n', 'Responses'),
        column.number('tokens', 'Completion tokens'),
        column.share('relative', 'Relative to peak'),
        column.estimate('corrected', 'Completion tokens, all responses', null),
      ],
      rows,
    }
    const peaks: Table = {
      id: 'relic/figure6-peaks',
      title: 'Length at which a model spends most',
      columns: [
        column.text('model', 'Model'),
        column.number('length', 'Peak length', 'tokens'),
        column.number('tokens', 'Completion tokens there'),
      ],
      rows: rows
        .filter(({ relative }) => relative === 1)
        .map(({ model, length, tokens }) => ({ model, length, tokens })),
    }
    return {
      tables: [table, peaks],
      figures: [
        lengthFigure(
          'relic/figure6-top',
          'Relative test-time compute by length',
          table.id,
          'relative',
          'Tokens relative to peak',
          false,
        ),
        lengthFigure('relic/figure12', 'Completion tokens by length', table.id, 'tokens', 'Completion tokens', false),
        lengthFigure(
          'relic/figure12-corrected',
          'Completion tokens by length, all responses',
          table.id,
          'corrected',
          'Completion tokens',
          true,
        ),
      ],
    }
  },
}

function curve(frame: Frame, data: Responses, model: string, entries: Int32Array) {
  const spent = spentIn(frame)
  const tokens = (k: number) => spent[data.row[k] as number] as number
  const known = entries.filter((k) => !Number.isNaN(tokens(k)))
  const points = byLength(data, known).map(([length, inside]) => {
    const classes = means(tally(inside, (k) => data.label[k], tokens).values())
    return {
      length,
      n: inside.length,
      tokens: mean(classes),
      corrected: clusteredMeanEstimate(
        Float64Array.from(inside, tokens),
        inside.map((k) => data.grammar[k] as number),
      ),
    }
  })
  const peak = points.reduce((most, point) => Math.max(most, point.tokens), 0)
  return peak === 0 ? [] : points.map((point) => ({ model, ...point, relative: point.tokens / peak }))
}

const lengthFigure = (id: string, title: string, table: string, key: string, label: string, withInterval: boolean) =>
  ({
    id,
    title,
    table,
    x: { key: 'length', label: 'Length', unit: 'tokens', scale: 'linear' },
    y: { key, label, ...(key === 'relative' ? { unit: 'share' } : {}) },
    marks: [
      ...(withInterval ? [{ kind: 'interval', series: 'model' } as const] : []),
      { kind: 'line', series: 'model' } as const,
      { kind: 'point', series: 'model' } as const,
    ],
  }) as const
