import {
  type Analysis,
  column,
  type Estimate,
  type Figure,
  type Frame,
  figure,
  marksBy,
  table,
} from '../../../core/index.ts'
import { analysisStream, clusterBootstrap, mean, pearson, spearman } from '../../../libraries/statistics/index.ts'
import { AUC_COLUMNS, atDistance, aucCells } from './auc-of.ts'
import {
  type Context,
  curvesOf,
  distanceColumn,
  language,
  needs,
  outsideDistances,
  PAPER,
  type ScoredString,
} from './contexts.ts'
import { crossing } from './criterion.ts'
import { languageExcess, languageLoss } from './language-loss.ts'
import { matchedAuc } from './matched.ts'
import { aucDifference, pairStrings } from './paired.ts'
import { finalOf, trainedModels, trainingsOf } from './trained.ts'

/** How a model came to the strings: trained on them, or with them in context. */
const MODES = { trained: 'trained', context: 'in context' } as const

/** A learner in a language: its contexts by number of strings, trained on them and with them in context. */
interface Learner {
  readonly base: string
  readonly language: string
  readonly trained: ReadonlyMap<number, readonly Context[]>
  readonly context: ReadonlyMap<number, readonly Context[]>
}

/** Trained at the epoch that was chosen, by the language that they were trained on; in context: all other models. */
export function learnersOf(frame: Frame): readonly Learner[] {
  const found = new Map<
    string,
    { base: string; language: string; trained: Map<number, Context[]>; context: Map<number, readonly Context[]> }
  >()
  const learner = (base: string, of: string) => {
    const own = found.get(`${base}\n${of}`) ?? { base, language: of, trained: new Map(), context: new Map() }
    found.set(`${base}\n${of}`, own)
    return own
  }
  const modelOf = trainedModels(frame)
  for (const { model, language: of, byK } of curvesOf(frame))
    if (modelOf(model) === null) for (const [k, contexts] of byK) learner(model, of).context.set(k, contexts)
  for (const training of trainingsOf(frame)) {
    const { trained } = learner(training.base, training.language)
    trained.set(training.strings, [...(trained.get(training.strings) ?? []), ...finalOf(training).test])
  }
  return [...found.values()]
}

/** The smallest distance outside the language of any learner. */
const nearestOf = (frame: Frame): string | undefined => outsideDistances(curvesOf(frame))[0]

/** AUC and loss by number of strings, trained on them and with them in context. */
export const modes: Analysis = {
  id: 'proficiency/modes',
  title: 'Trained on strings, and with them in context',
  source: { paper: PAPER, item: 'figure 4' },
  notes: [
    'Trained: models with the attribute trainingSize (and base, list, trainedOn, epoch), or baselines trained:NAME:SIZE. With examplesFrom: training both read the same strings.',
    'Of several epochs the one with the least loss on validation strings, where the run has some, else the last.',
    'Length-matched AUC at the smallest distance. Excess: nats a terminal above the language itself, so that modes and models have one unit and one floor.',
    'Broken line: what the learner has before it reads any string, the control. Figures omit 0 strings (logarithmic axis); the table has them.',
  ],
  needs,
  run(frame) {
    const distance = nearestOf(frame)
    const learners = learnersOf(frame)
    if (distance === undefined || learners.every(({ trained }) => trained.size === 0)) return { tables: [] }
    const rows = learners.flatMap(({ base, language: of, ...both }) => {
      const before = both.context.get(0)
      const zero = before === undefined ? null : (aucCells(before, atDistance(distance)).matched?.value ?? null)
      return (['trained', 'context'] as const).flatMap((mode) =>
        [...both[mode]]
          .sort(([a], [b]) => a - b)
          .map(([strings, contexts]) => ({
            base,
            mode: MODES[mode],
            panel: `${base}, ${of}`,
            language: of,
            strings,
            drawn: strings === 0 ? null : strings,
            distance,
            zero,
            excess: languageExcess(contexts, 'terminal'),
            nats: languageLoss(contexts, 'token'),
            ...aucCells(contexts, atDistance(distance)),
          })),
      )
    })
    const points = table(
      'proficiency/modes',
      'AUC and loss by mode and number of strings',
      [
        column.text('base', 'Model'),
        column.text('mode', 'Mode'),
        language,
        column.number('strings', 'Strings'),
        distanceColumn,
        ...AUC_COLUMNS,
        column.number('zero', 'AUC at 0 strings', 'share'),
        column.estimate('excess', 'Excess per terminal', 'nats'),
        column.estimate('nats', 'Loss per token', 'nats'),
      ],
      rows,
    )
    const curve = (
      key: 'matched' | 'excess',
      label: string,
      zero: readonly { kind: 'reference'; y: string }[],
    ): Figure =>
      figure(points, {
        id: `${points.id}-${key}`,
        title: `${label} by number of strings`,
        x: { key: 'drawn', label: 'Strings', scale: 'log' },
        y: { key, label },
        facet: 'panel',
        marks: [...zero, ...marksBy('mode', 'interval', 'line', 'point')],
      })
    return {
      tables: [points],
      figures: [
        curve('matched', 'Length-matched AUC', [{ kind: 'reference', y: 'zero' }]),
        curve('excess', 'Excess per terminal', []),
      ],
    }
  },
}

/** A learner's two modes after as many strings. */
const bothModes = ({ trained, context }: Learner) =>
  [...trained]
    .sort(([a], [b]) => a - b)
    .flatMap(([strings, first]) => {
      const second = context.get(strings)
      return second === undefined ? [] : [{ strings, trained: first, context: second }]
    })

/** How much better training is than the same strings in context. */
export const modesGap: Analysis = {
  id: 'proficiency/modes-gap',
  title: 'Trained minus in context, paired by string',
  notes: [
    'Difference of the length-matched AUC at the smallest distance, the same strings in both; bootstrap over repetitions and tests.',
    'Worth: how many strings in context have the AUC of one trained string, interpolated over the log of the number; at least and at most: where the ends of its 95 % CI are had.',
  ],
  needs,
  run(frame, { seed }) {
    const distance = nearestOf(frame)
    if (distance === undefined) return { tables: [] }
    const rows = learnersOf(frame).flatMap((learner) => {
      const inContext = aucsOf(learner.context, distance)
      return bothModes(learner).map(({ strings, trained, context }) => {
        const own = matchedAuc(trained, atDistance(distance), (s) => -s.nats / s.tokens)
        const worth = (auc: number): number | null => {
          const needed = own.kind === 'auc' ? crossing(inContext, auc) : null
          return needed === null || strings === 0 ? null : needed / strings
        }
        const at = own.kind === 'auc' ? own.estimate : null
        return {
          base: learner.base,
          language: learner.language,
          strings,
          zero: 0,
          gap: aucDifference(
            pairStrings(context, trained),
            distance,
            seed,
            `gap ${learner.base} ${learner.language} ${strings}`,
          ),
          worth: at && worth(at.value),
          least: at && worth(at.low),
          mostly: at && worth(at.high),
        }
      })
    })
    const gaps = table(
      'proficiency/modes-gap',
      'Trained minus in context',
      [
        column.text('base', 'Model'),
        language,
        column.number('strings', 'Strings'),
        column.estimate('gap', 'AUC, trained - in context', null),
        column.number('worth', 'Strings in context for one trained'),
        column.number('least', 'At least'),
        column.number('mostly', 'At most'),
      ],
      rows,
    )
    const curve = figure(gaps, {
      x: { key: 'strings', scale: 'log' },
      y: 'gap',
      facet: 'language',
      marks: [{ kind: 'reference', y: 'zero' }, ...marksBy('base', 'interval', 'line', 'point')],
    })
    return rows.length === 0 ? { tables: [] } : { tables: [gaps], figures: [curve] }
  },
}

const aucsOf = (byStrings: ReadonlyMap<number, readonly Context[]>, distance: string) =>
  [...byStrings].flatMap(([k, contexts]) => {
    const found = matchedAuc(contexts, atDistance(distance), (s) => -s.nats / s.tokens)
    return found.kind === 'auc' ? [{ k, value: found.estimate.value }] : []
  })

/** Do the two modes find the same strings hard? */
export const modesBias: Analysis = {
  id: 'proficiency/modes-bias',
  title: 'Correlation of losses, trained and in context',
  notes: [
    'Nats per terminal of the same strings. Same list: both read the same strings; other list: another repetition’s, which needs sharedTests.',
    'Partial: given length and, of strings inside, the floor -ln P(s), which all models share. Reliability: of one mode between lists.',
    'Disattenuated: other list / sqrt(the two reliabilities): what the correlation would be without the chance of the lists. Bootstrap over strings.',
  ],
  needs,
  run(frame, { seed }) {
    const distance = nearestOf(frame)
    const sets = [
      { among: 'inside', of: (s: ScoredString) => s.distance === '0' },
      { among: `distance ${distance}`, of: (s: ScoredString) => s.distance === distance },
      { among: 'both', of: (s: ScoredString) => s.distance === '0' || s.distance === distance },
    ]
    const rows = learnersOf(frame).flatMap((learner) =>
      bothModes(learner).flatMap(({ strings, trained, context }) =>
        sets.map(({ among, of }) => ({
          base: learner.base,
          line: `${learner.base}, ${among}`,
          language: learner.language,
          strings,
          auc: meanAucOf([trained, context], distance),
          among,
          ...correlations(
            lossesOf(trained, of),
            lossesOf(context, of),
            analysisStream(seed, `bias ${learner.base} ${learner.language} ${strings} ${among}`),
          ),
        })),
      ),
    )
    const biases = table(
      'proficiency/modes-bias',
      'Correlation of losses',
      [
        column.text('base', 'Model'),
        language,
        column.number('strings', 'Strings'),
        column.text('among', 'Strings compared'),
        column.number('auc', 'Mean AUC of the two', 'share'),
        column.estimate('pearson', 'Pearson, same list', null),
        column.number('spearman', 'Spearman, same list'),
        column.number('partial', 'Partial, same list'),
        column.number('other', 'Pearson, other list'),
        column.number('reliabilityTrained', 'Reliability, trained'),
        column.number('reliabilityContext', 'Reliability, in context'),
        column.estimate('disattenuated', 'Disattenuated', null),
      ],
      rows,
    )
    const curve = figure(biases, {
      x: 'auc',
      y: 'pearson',
      facet: 'language',
      marks: marksBy('line', 'line', 'point'),
    })
    return rows.length === 0 ? { tables: [] } : { tables: [biases], figures: [curve] }
  },
}

function meanAucOf(both: readonly (readonly Context[])[], distance: string | undefined): number | null {
  const values = both.flatMap((contexts) => aucCells(contexts, atDistance(distance ?? '')).matched?.value ?? [])
  return values.length < both.length ? null : mean(values)
}

/** A string's loss in each repetition, and what all models share of it. */
interface Losses {
  readonly byRepetition: ReadonlyMap<string, number>
  readonly floor: number
  readonly length: number
}

function lossesOf(contexts: readonly Context[], of: (s: ScoredString) => boolean): ReadonlyMap<string, Losses> {
  const found = new Map<string, { byRepetition: Map<string, number>; floor: number; length: number }>()
  for (const { repetition, strings } of contexts)
    for (const s of strings.filter(of)) {
      // Repetitions that do not share tests have other strings at the same number.
      const key = [s.distance, s.test, s.copy, s.edit, s.length, s.floor?.toFixed(6)].join(' ')
      const known = found.get(key) ?? { byRepetition: new Map(), floor: (s.floor ?? 0) / s.terminals, length: s.length }
      known.byRepetition.set(repetition, s.nats / s.terminals)
      found.set(key, known)
    }
  return found
}

/** Correlations of two sets of losses over the strings that both have. */
export function correlations(
  trained: ReadonlyMap<string, Losses>,
  context: ReadonlyMap<string, Losses>,
  stream: Parameters<typeof clusterBootstrap>[3]['stream'],
) {
  const strings = [...trained].flatMap(([key, first]) => {
    const second = context.get(key)
    return second === undefined ? [] : [{ first, second }]
  })
  const same = strings.flatMap(({ first, second }) =>
    [...first.byRepetition].flatMap(([repetition, x]) => {
      const y = second.byRepetition.get(repetition)
      return y === undefined ? [] : [{ x, y, floor: first.floor, length: first.length }]
    }),
  )
  const [xs, ys] = [same.map(({ x }) => x), same.map(({ y }) => y)]
  const given = same.map(({ floor, length }) => [1, floor, length])
  const lists = [...new Set(strings.flatMap(({ first }) => [...first.byRepetition.keys()]))]
  const column = (side: 'first' | 'second', list: string) =>
    Float64Array.from(strings, (one) => one[side].byRepetition.get(list) ?? Number.NaN)
  const [firsts, seconds] = (['first', 'second'] as const).map((side) => lists.map((list) => column(side, list))) as [
    Float64Array[],
    Float64Array[],
  ]
  const across = (a: readonly Float64Array[], b: readonly Float64Array[], counts: Int32Array): number | null =>
    meanKnown(a.flatMap((x, i) => b.flatMap((y, j) => (i === j ? [] : [weightedCorrelation(x, y, counts)]))))
  const disattenuated = (counts: Int32Array): number | null => {
    const [r, first, second] = [
      across(firsts, seconds, counts),
      across(firsts, firsts, counts),
      across(seconds, seconds, counts),
    ]
    return r === null || first === null || second === null || first <= 0 || second <= 0
      ? null
      : r / Math.sqrt(first * second)
  }
  const all = new Int32Array(strings.length).fill(1)
  return {
    pearson: pearson(xs, ys)?.estimate ?? null,
    spearman: spearman(xs, ys)?.r ?? null,
    partial: pearson(residuals(xs, given), residuals(ys, given))?.r ?? null,
    other: across(firsts, seconds, all),
    reliabilityTrained: across(firsts, firsts, all),
    reliabilityContext: across(seconds, seconds, all),
    disattenuated: clusterBootstrap(strings.length, strings.length, disattenuated, {
      stream,
      draws: 400,
    }) as Estimate | null,
  }
}

const meanKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : mean(known)
}

/** Pearson's correlation of pairs that count so often; null where a side is constant or fewer than three pairs are known. */
function weightedCorrelation(x: Float64Array, y: Float64Array, counts: Int32Array): number | null {
  let [n, kinds, sx, sy, xx, yy, xy] = [0, 0, 0, 0, 0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    const [a, b, w] = [x[i] as number, y[i] as number, counts[i] as number]
    if (w === 0 || Number.isNaN(a) || Number.isNaN(b)) continue
    n += w
    kinds++
    sx += w * a
    sy += w * b
    xx += w * a * a
    yy += w * b * b
    xy += w * a * b
  }
  const [vx, vy] = [xx - (sx * sx) / n, yy - (sy * sy) / n]
  return kinds < 3 || vx <= 1e-12 * xx || vy <= 1e-12 * yy ? null : (xy - (sx * sy) / n) / Math.sqrt(vx * vy)
}

/** What a least-squares fit on the predictors leaves: Gram and Schmidt, columns without anything new dropped. */
function residuals(values: readonly number[], predictors: readonly (readonly number[])[]): number[] {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] as number), 0)
  const basis: number[][] = []
  const without = (column: readonly number[]) =>
    basis.reduce<number[]>(
      (rest, one) => {
        const share = dot(rest, one)
        return rest.map((x, i) => x - share * (one[i] as number))
      },
      [...column],
    )
  for (const p of predictors[0]?.keys() ?? []) {
    const column = predictors.map((row) => row[p] as number)
    const rest = without(column)
    const size = Math.sqrt(dot(rest, rest))
    if (size > 1e-9 * Math.sqrt(dot(column, column))) basis.push(rest.map((x) => x / size))
  }
  return without(values)
}
