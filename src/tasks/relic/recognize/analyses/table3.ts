import { type Analysis, column, type Frame, type Table, table } from '../../../../core/index.ts'
import {
  design,
  type Fit,
  type LinearFit,
  type LogisticFit,
  linear,
  logistic,
  mean,
  type Term,
  type Unfit,
  type Variable,
} from '../../../../libraries/statistics/index.ts'
import { needs, publishedResponses, type Responses, strictResponses } from './responses.ts'
import { byGrammarCode } from './statistics.ts'
import { PAPER, tally } from './tallies.ts'

const { text, number, estimate } = column

/** Accuracy explained by model, grammar size, length and their interactions. */
export const table3: Analysis = {
  id: 'relic/table3',
  title: 'Regression of accuracy on model, grammar size and length',
  source: { paper: PAPER, item: 'Table 3' },
  notes: [
    'x = log10 binary rules, y = log10 length, both centred; rows: (model, grammar, length), classes pooled; percent. The base model has the main effects.',
    'As published: least squares with classical errors. Corrected: logistic regression of responses, strict parser, errors clustered by grammar.',
    'With few grammars per model the clustered errors are too small (Cameron and Miller 2015, section VI).',
  ],
  needs: [...needs, 'feature_nonlexical'],
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const strict = strictResponses(frame)
    const fits = [
      {
        id: 'relic/table3',
        title: 'Least squares on (model, grammar, length) accuracies, as published',
        fit: publishedFit(frame, published),
      },
      {
        id: 'relic/table3-corrected',
        title: 'Logistic regression of responses, errors clustered by grammar',
        fit: correctedFit(frame, strict),
      },
    ]
    return {
      tables: [
        ...fits.flatMap(({ id, title, fit }) =>
          isFit(fit) ? [coefficients(id, title, fit), wald(id, title, fit)] : [],
        ),
        summary(fits),
      ],
    }
  },
}

type Found = LinearFit | LogisticFit | Unfit
const isFit = (fit: Found): fit is LinearFit | LogisticFit => fit.kind !== 'unfit'

interface Points {
  readonly nonlexical: readonly number[]
  readonly length: readonly number[]
  readonly model: readonly number[]
}

function build(points: Points, arms: readonly string[]) {
  const used = [...new Set(points.model)]
  const terms: Term[] = [['x'], ['y'], ['x', 'y']]
  const variables: { [name: string]: Variable } = {
    x: { kind: 'numeric', values: centred(points.nonlexical.map(Math.log10)) },
    y: { kind: 'numeric', values: centred(points.length.map(Math.log10)) },
  }
  if (used.length > 1) {
    variables['model'] = {
      kind: 'nominal',
      codes: points.model,
      levels: arms,
      base: baseModel(used.map((a) => arms[a] as string)),
    }
    terms.push(['model'], ['x', 'model'], ['y', 'model'])
  }
  return design(variables, terms)
}

/** The paper's base where it is there, else the first model. */
const baseModel = (names: readonly string[]): string =>
  names.find((name) => name.includes('gpt-4.1-nano')) ?? (names[0] as string)

function centred(values: readonly number[]): number[] {
  const middle = mean(values)
  return values.map((x) => x - middle)
}

const tooFew: Unfit = { kind: 'unfit', code: 'too-few', message: 'no responses' }

function publishedFit(frame: Frame, data: Responses): Found {
  const sizes = byGrammarCode(frame, data, 'nonlexical')
  const { of, share } = gathered(data, usable(data, sizes))
  if (of.length === 0) return tooFew
  const percent = share.map((x) => 100 * x)
  return linear(build(pointsOf(of, data, sizes), data.arms), percent)
}

function correctedFit(frame: Frame, data: Responses): Found {
  const sizes = byGrammarCode(frame, data, 'nonlexical')
  const { of, share, trials } = gathered(data, usable(data, sizes))
  if (of.length === 0) return tooFew
  const clusters = of.map((k) => data.grammar[k] as number)
  return logistic(build(pointsOf(of, data, sizes), data.arms), share, { clusters, trials })
}

/** Responses pooled by model, grammar and length: one entry of each, the share correct, and their number. */
function gathered(data: Responses, entries: readonly number[]) {
  const key = (k: number) => `${data.arm[k]}/${data.grammar[k]}/${data.length[k]}`
  const first = new Map<string, number>()
  for (const k of entries) if (!first.has(key(k))) first.set(key(k), k)
  const rows = [...tally(entries, key, (k) => data.correct[k] as number)]
  return {
    of: rows.map(([at]) => first.get(at) as number),
    share: rows.map(([, { n, sum }]) => sum / n),
    trials: rows.map(([, { n }]) => n),
  }
}

/** Entries with a positive size and length: their logarithms exist. */
const usable = (data: Responses, sizes: Float64Array): number[] =>
  Array.from({ length: data.n }, (_, k) => k).filter(
    (k) => (sizes[data.grammar[k] as number] as number) > 0 && (data.length[k] as number) > 0,
  )

const pointsOf = (entries: readonly number[], data: Responses, sizes: Float64Array): Points => ({
  nonlexical: entries.map((k) => sizes[data.grammar[k] as number] as number),
  length: entries.map((k) => data.length[k] as number),
  model: entries.map((k) => data.arm[k] as number),
})

const stars = (p: number): string => (p < 0.001 ? '***' : p < 0.01 ? '**' : p < 0.05 ? '*' : '')

const coefficients = (id: string, title: string, fit: Fit): Table =>
  table(
    id,
    title,
    [
      text('term', 'Term'),
      estimate('coefficient', 'Coefficient', null),
      number('standardError', 'Standard error'),
      number('p', 'p'),
      text('significance', 'Sig.'),
    ],
    fit.coefficients.map(({ name, estimate: value, standardError, p, low, high }) => ({
      term: name,
      coefficient: { value, low, high, n: fit.n, method: `95 %, ${fit.errors}` },
      standardError,
      p,
      significance: stars(p),
    })),
  )

const wald = (id: string, title: string, fit: Fit): Table =>
  table(
    `${id}-terms`,
    `${title}: Wald tests of whole terms`,
    [
      text('term', 'Term'),
      number('statistic', fit.wald[0]?.kind === 'F' ? 'F' : 'chi-squared'),
      number('df', 'df'),
      number('p', 'p'),
    ],
    fit.wald.map(({ term, statistic, df, p }) => ({ term, statistic, df, p })),
  )

const summary = (fits: readonly { readonly id: string; readonly fit: Found }[]): Table =>
  table(
    'relic/table3-fit',
    'Fit of the regressions',
    [
      text('regression', 'Regression'),
      number('n', 'Rows'),
      number('r2', 'R2'),
      number('adjustedR2', 'Adjusted R2'),
      number('deviance', 'Deviance'),
      number('residualDf', 'Residual df'),
      text('note', 'Errors'),
    ],
    fits.map(({ id, fit }) => {
      if (!isFit(fit)) return { regression: id, note: fit.message }
      const { n, r2, adjustedR2, residualDf, errors } = fit
      const deviance = fit.kind === 'logistic' ? fit.deviance : null
      return { regression: id, n, r2, adjustedR2, deviance, residualDf, note: errors }
    }),
  )
