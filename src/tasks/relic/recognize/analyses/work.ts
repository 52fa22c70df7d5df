import { type Analysis, column, type Frame, figure, marksBy, table } from '../../../../core/index.ts'
import { mean, median, pearson, spearman, sum } from '../../../../libraries/statistics/index.ts'
import { tokensUsed } from '../../grammars/analyses/asked.ts'
import { bootstrapped, leastSquares, products, quittingPoint } from '../../grammars/analyses/quitting.ts'
import { byArm, needs, type Responses, strictResponses } from './responses.ts'
import { cellOf } from './tallies.ts'

const { text, number, share, estimate } = column

/** A response with its tokens and the exact work of its item. */
interface Effort {
  readonly entry: number
  readonly tokens: number
  readonly lookups: number
  readonly proof: number
}

/** Bins of work that are drawn. */
const BINS = 12
/** A model that is correct this often in a bin did the work of its items. */
const SOLVED = 0.95
const WORK = ['entries', 'lookups', 'inferences', 'proof'] as const

/** Does effort follow the work that an item takes, and where does it stop? */
export const work: Analysis = {
  id: 'relic/work',
  title: 'Effort against the exact work of an item',
  source: {
    paper: 'Evaluating Complex Reasoning via the Recognition of Languages In-Context (RELIC, version 2)',
    item: 'effort',
  },
  notes: [
    'Work: look-ups of a bottom-up chart; r2 also of its entries, its inferences and the shortest proof. Effort: tokens, for baselines steps. Capped responses count as they are.',
    'Exponents: log tokens on log(1 + look-ups), log length, log rules and class. Quits: effort rises up to a knot and not beyond it, by bootstrap over grammars.',
    `Need: tokens a step, the median where at least ${100 * SOLVED} % are correct (else the easiest bin), times the shortest proof. Short: less than half of it.`,
    'Allocation: sufficient responses if the model had spent its own total on the smallest needs first. Within: rank correlation inside length and class.',
  ],
  needs: [...needs, 'feature_nonlexical', ...WORK.map((name) => `feature_${name}`)],
  run(frame, options) {
    const data = strictResponses(frame)
    const arms = byArm(data).flatMap(({ model, entries }) => {
      const efforts = effortsOf(frame, data, entries)
      return efforts.length < 100 ? [] : [{ model, efforts, bins: binsOf(data, efforts) }]
    })
    const exponents = table(
      'relic/work',
      'Growth of effort with work, length and rules',
      [
        text('model', 'Model'),
        number('n', 'Responses'),
        estimate('work', 'Exponent of work', null),
        estimate('length', 'Exponent of length', null),
        estimate('rules', 'Exponent of rules', null),
        ...WORK.map((name) => share(name, `r2, ${name}`)),
      ],
      arms.map(({ model, efforts }) => exponentsOf(frame, data, model, efforts, options.seed)),
    )
    const quitting = table(
      'relic/quitting',
      'Where effort stops rising',
      [
        text('model', 'Model'),
        text('quits', 'Quits'),
        estimate('at', 'At look-ups', null),
        number('length', 'Median length there', 'tokens'),
        estimate('before', 'Exponent before', null),
        estimate('after', 'Exponent beyond', null),
      ],
      arms.map(({ model, efforts }) => quittingOf(data, model, efforts, options.seed)),
    )
    const bands = table(
      'relic/shortfall',
      'Effort and accuracy by work',
      [
        text('model', 'Model'),
        number('work', 'Look-ups'),
        number('tokens', 'Tokens (median)'),
        number('ideal', 'Tokens in proportion to work'),
        share('short', 'Short'),
        share('accuracy', 'Accuracy'),
        share('accuracyShort', 'Accuracy, short'),
        share('accuracyEnough', 'Accuracy, others'),
        share('workShare', 'Share of the work up to here'),
        share('tokensShare', 'Share of the tokens up to here'),
      ],
      arms.flatMap(({ model, bins, efforts }) => shortfallOf(data, model, bins, efforts)),
    )
    const allocation = table(
      'relic/allocation',
      'Tokens spread over items',
      [
        text('model', 'Model'),
        share('sufficient', 'Sufficient'),
        share('best', 'Sufficient if spent on the smallest needs'),
        number('loss', 'Loss'),
        number('within', 'Rank correlation of tokens and work, within'),
      ],
      arms.map(({ model, bins, efforts }) => allocationOf(data, model, bins, efforts)),
    )
    const logs = { x: { key: 'work', scale: 'log' }, facet: 'model' } as const
    return {
      tables: [exponents, quitting, bands, allocation],
      figures: [
        figure(bands, {
          id: 'relic/work',
          title: 'Tokens by work, and in proportion to it',
          ...logs,
          y: { key: 'tokens', scale: 'log' },
          marks: [{ kind: 'reference', y: 'ideal' }, { kind: 'line' }, { kind: 'point' }],
        }),
        figure(bands, { id: 'relic/shortfall', ...logs, y: 'short', marks: [{ kind: 'line' }, { kind: 'point' }] }),
        figure(bands, {
          id: 'relic/allocation',
          title: 'Share of the tokens against share of the work',
          x: 'workShare',
          y: 'tokensShare',
          marks: marksBy('model', 'line', 'point'),
        }),
      ],
    }
  },
}

function effortsOf(frame: Frame, data: Responses, entries: Int32Array): readonly Effort[] {
  const used = tokensUsed(frame)
  const [lookups, proof] = [frame.number('feature_lookups'), frame.number('feature_proof')]
  return [...entries].flatMap((entry) => {
    const row = data.row[entry] as number
    const one = { entry, tokens: used[row] as number, lookups: lookups[row] as number, proof: proof[row] as number }
    return one.tokens > 0 && !Number.isNaN(one.lookups) ? [one] : []
  })
}

const logWork = ({ lookups }: Effort): number => Math.log1p(lookups)

const binsOf = (data: Responses, efforts: readonly Effort[]) => {
  const sorted = efforts.toSorted((a, b) => a.lookups - b.lookups)
  return Array.from({ length: BINS }, (_, bin) => {
    const inside = sorted.slice((bin * sorted.length) / BINS, ((bin + 1) * sorted.length) / BINS)
    return { inside, accuracy: accuracyOf(data, inside) ?? 0 }
  })
}
type Bins = ReturnType<typeof binsOf>

const accuracyOf = (data: Responses, efforts: readonly Effort[]): number | null =>
  efforts.length === 0 ? null : mean(efforts.map(({ entry }) => data.correct[entry] as number))

/** The efforts of each grammar. */
const ofGrammars = (data: Responses, efforts: readonly Effort[]): readonly (readonly Effort[])[] => [
  ...Map.groupBy(efforts, ({ entry }) => data.grammar[entry]).values(),
]

function exponentsOf(frame: Frame, data: Responses, model: string, efforts: readonly Effort[], seed: number) {
  const rules = frame.number('feature_nonlexical')
  const grammars = products(ofGrammars(data, efforts), (one) => [
    1,
    logWork(one),
    Math.log(data.length[one.entry] as number),
    Math.log(rules[data.row[one.entry] as number] as number),
    data.label[one.entry] as number,
    Math.log(one.tokens),
  ])
  const slope = (k: number) =>
    bootstrapped(
      grammars.length,
      efforts.length,
      seed,
      model,
      (counts) => leastSquares(grammars, counts, 6).slopes[k] ?? null,
    )
  const tokens = efforts.map((one) => Math.log(one.tokens))
  const explained = WORK.map((name) => {
    const values = frame.number(`feature_${name}`)
    const r = pearson(
      efforts.map(({ entry }) => Math.log1p(values[data.row[entry] as number] as number)),
      tokens,
    )?.r
    return [name, r === undefined ? null : r * r]
  })
  return {
    model,
    n: efforts.length,
    work: slope(1),
    length: slope(2),
    rules: slope(3),
    ...Object.fromEntries(explained),
  }
}

function quittingOf(data: Responses, model: string, efforts: readonly Effort[], seed: number) {
  const spent = ofGrammars(data, efforts).map((inside) =>
    inside.map((one) => ({ logWork: logWork(one), tokens: one.tokens })),
  )
  const found = quittingPoint(spent, seed, model)
  const { at } = found
  const near =
    at === null ? [] : efforts.filter(({ lookups }) => lookups >= at.value / 1.5 && lookups <= at.value * 1.5)
  return { model, ...found, length: median(near.map(({ entry }) => data.length[entry] as number)) }
}

/** Tokens for a step of the shortest proof. */
function tokensAStep(bins: Bins): number {
  const solved = bins.filter(({ accuracy }) => accuracy >= SOLVED)
  const from = (solved.length === 0 ? bins.slice(0, 1) : solved).flatMap(({ inside }) => inside)
  return median(from.map(({ tokens, proof }) => tokens / proof)) ?? 0
}

function shortfallOf(data: Responses, model: string, bins: Bins, efforts: readonly Effort[]) {
  const step = tokensAStep(bins)
  const [allWork, allTokens] = [sum(efforts.map(({ lookups }) => lookups)), sum(efforts.map(({ tokens }) => tokens))]
  const anchor = bins
    .map(({ inside }) => ({ w: middle(inside, 'lookups'), t: middle(inside, 'tokens') }))
    .find(({ w }) => w > 0)
  let [done, spent] = [0, 0]
  return bins.flatMap(({ inside, accuracy }) => {
    const [short, enough] = [true, false].map((wanted) =>
      inside.filter(({ tokens, proof }) => tokens < (step * proof) / 2 === wanted),
    ) as [Effort[], Effort[]]
    done += sum(inside.map(({ lookups }) => lookups))
    spent += sum(inside.map(({ tokens }) => tokens))
    const at = middle(inside, 'lookups')
    if (anchor === undefined || at <= 0) return []
    return [
      {
        model,
        work: at,
        tokens: middle(inside, 'tokens'),
        ideal: (anchor.t * at) / anchor.w,
        short: short.length / inside.length,
        accuracy,
        accuracyShort: accuracyOf(data, short),
        accuracyEnough: accuracyOf(data, enough),
        workShare: done / allWork,
        tokensShare: spent / allTokens,
      },
    ]
  })
}

const middle = (efforts: readonly Effort[], name: 'lookups' | 'tokens'): number =>
  median(efforts.map((one) => one[name])) ?? 0

function allocationOf(data: Responses, model: string, bins: Bins, efforts: readonly Effort[]) {
  const step = tokensAStep(bins)
  let spent = sum(efforts.map(({ tokens }) => tokens))
  const needed = efforts.map(({ proof }) => step * proof).toSorted((a, b) => a - b)
  const affordable = needed.filter((need) => {
    spent -= need
    return spent >= 0
  })
  const best = affordable.length / needed.length
  const sufficient = efforts.filter(({ tokens, proof }) => tokens >= step * proof).length / efforts.length
  const cells = [...Map.groupBy(efforts, ({ entry }) => cellOf(data, entry)).values()].flatMap((inside) => {
    const found = spearman(
      inside.map(({ tokens }) => tokens),
      inside.map(({ lookups }) => lookups),
    )
    return found === null ? [] : [{ r: found.r, n: inside.length }]
  })
  const within = sum(cells.map(({ r, n }) => r * n)) / sum(cells.map(({ n }) => n))
  return { model, sufficient, best, loss: best - sufficient, within: cells.length === 0 ? null : within }
}
