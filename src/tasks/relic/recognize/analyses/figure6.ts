import { type Analysis, column, type Frame, figure, marksBy, table } from '../../../../core/index.ts'
import { clusteredMeanEstimate, mean } from '../../../../libraries/statistics/index.ts'
import { tokensUsed } from '../../grammars/analyses/asked.ts'
import { byArm, needs, publishedResponses, type Responses } from './responses.ts'
import { byLength, means, PAPER, tally } from './tallies.ts'

const { text, number, share, estimate } = column

/** Tokens against the length of the string. */
export const figure6: Analysis = {
  id: 'relic/figure6',
  title: 'Test-time compute by string length',
  source: { paper: PAPER, item: 'Figures 6 (top) and 12' },
  notes: [
    "Completion tokens with reasoning: mean of the two class means per length. Relative: to the model's peak. Models without token counts are omitted.",
    'Corrected: the mean over responses of a length with a CI clustered by grammar.',
  ],
  needs,
  run(frame, options) {
    const data = publishedResponses(frame, options)
    const rows = byArm(data).flatMap(({ model, entries }) => curve(frame, data, model, entries))
    const tokens = table(
      'relic/figure6',
      'Completion tokens by length',
      [
        text('model', 'Model'),
        number('length', 'Length', 'tokens'),
        number('n', 'Responses'),
        number('tokens', 'Completion tokens'),
        share('relative', 'Tokens relative to peak'),
        estimate('corrected', 'Completion tokens, all responses', null),
      ],
      rows,
    )
    const peaks = table(
      'relic/figure6-peaks',
      'Length with the most tokens',
      [text('model', 'Model'), number('length', 'Peak length', 'tokens'), number('tokens', 'Completion tokens there')],
      rows
        .filter(({ relative }) => relative === 1)
        .map(({ model, length, tokens: most }) => ({ model, length, tokens: most })),
    )
    const drawn = (id: string, title: string, y: string, ...kinds: readonly ('interval' | 'line' | 'point')[]) =>
      figure(tokens, { id, title, x: 'length', y, marks: marksBy('model', ...kinds) })
    return {
      tables: [tokens, peaks],
      figures: [
        drawn('relic/figure6-top', 'Relative test-time compute by length', 'relative', 'line', 'point'),
        drawn('relic/figure12', 'Completion tokens by length', 'tokens', 'line', 'point'),
        drawn(
          'relic/figure12-corrected',
          'Completion tokens by length, all responses',
          'corrected',
          'interval',
          'line',
          'point',
        ),
      ],
    }
  },
}

function curve(frame: Frame, data: Responses, model: string, entries: Int32Array) {
  const points = tokensByLength(frame, data, entries).map(({ length, tokens, inside, used }) => ({
    length,
    n: inside.length,
    tokens,
    corrected: clusteredMeanEstimate(
      Float64Array.from(inside, used),
      inside.map((k) => data.grammar[k] as number),
    ),
  }))
  const peak = points.reduce((most, point) => Math.max(most, point.tokens), 0)
  return peak === 0 ? [] : points.map((point) => ({ model, ...point, relative: point.tokens / peak }))
}

/** The tokens of each length, mean of the two class means, over responses with at least this many tokens. */
export function tokensByLength(frame: Frame, data: Responses, entries: Int32Array, least = 0) {
  const tokens = tokensUsed(frame)
  const used = (k: number) => tokens[data.row[k] as number] as number
  const known = entries.filter((k) => used(k) >= least)
  return byLength(data, known).map(([length, inside]) => {
    const classes = means(tally(inside, (k) => data.label[k], used).values())
    return { length, tokens: mean(classes), inside, used }
  })
}
