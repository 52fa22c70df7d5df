import { type Analysis, column, type Figure, type Frame, figure, marksBy, table, tableOf } from '../../../core/index.ts'
import {
  analysisStream,
  clusterBootstrap,
  mean,
  meanOrNull,
  pearson,
  spearman,
} from '../../../libraries/statistics/index.ts'
import { AUC_COLUMNS, atDistance, aucCells, aucsOf, matchedAuc } from './auc-of.ts'
import {
  type Context,
  curvesOf,
  distanceColumn,
  needs,
  outsideDistances,
  PAPER,
  type ScoredString,
} from './contexts.ts'
import { crossing } from './criterion.ts'
import { languageExcess, languageLoss } from './losses.ts'
import { aucDifference, pairStrings } from './paired.ts'
import { finalOf, TRAINED_COLUMNS, trainedModels, trainingsOf } from './trained.ts'

/** How a model came to the strings: trained on them, or with them in context. */
export const MODES = { trained: 'trained', context: 'in context' } as const
export const modeNames = Object.keys(MODES) as (keyof typeof MODES)[]

type ByStrings = Map<number, readonly Context[]>

/** A learner in a language: its contexts by number of strings, the fewest first, trained on them and with them in context. */
interface Learner {
  readonly base: string
  readonly language: string
  readonly trained: ByStrings
  readonly context: ByStrings
}

/** Trained at the epoch that was chosen, by the language that they were trained on; in context: all other models. */
export function learnersOf(frame: Frame): readonly Learner[] {
  const found = new Map<string, Learner>()
  const learner = (base: string, of: string) => {
    const key = `${base}\n${of}`
    const own = found.get(key) ?? { base, language: of, trained: new Map(), context: new Map() }
    found.set(key, own)
    return own
  }
  const modelOf = trainedModels(frame)
  for (const { model, language: of, byK } of curvesOf(frame))
    if (modelOf(model) === null) for (const [k, contexts] of byK) learner(model, of).context.set(k, contexts)
  for (const training of trainingsOf(frame)) {
    const { trained } = learner(training.base, training.language)
    trained.set(training.strings, [...(trained.get(training.strings) ?? []), ...finalOf(training).test])
  }
  return [...found.values()].map((own) => ({ ...own, trained: new Map([...own.trained].sort(([a], [b]) => a - b)) }))
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
    const rows = learners.flatMap((learner) => {
      const { base, language: of } = learner
      const zero = matchedAuc(learner.context.get(0) ?? [], atDistance(distance)).matched?.value ?? null
      return modeNames.flatMap((mode) =>
        [...learner[mode]].map(([strings, contexts]) => ({
          key: {
            ...{ base, language: of, strings, distance, zero, mode: MODES[mode] },
            ...{ panel: `${base}, ${of}`, drawn: strings === 0 ? null : strings },
            ...aucCells(contexts, atDistance(distance)),
          },
          contexts,
        })),
      )
    })
    const [base, ...named] = TRAINED_COLUMNS
    const leading = [base, column.text('mode', 'Mode'), ...named, distanceColumn, ...AUC_COLUMNS]
    const points = tableOf(
      'proficiency/modes',
      'AUC and loss by mode and number of strings',
      [...leading, column.number('zero', 'AUC at 0 strings', 'share')],
      rows,
      [
        [
          column.estimate('excess', 'Excess per terminal', 'nats'),
          ({ contexts }) => languageExcess(contexts, 'terminal'),
        ],
        [column.estimate('nats', 'Loss per token', 'nats'), ({ contexts }) => languageLoss(contexts, 'token')],
      ],
    )
    const curve = (key: string, label: string, ...zero: readonly { kind: 'reference'; y: string }[]): Figure =>
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
        curve('matched', 'Length-matched AUC', { kind: 'reference', y: 'zero' }),
        curve('excess', 'Excess per terminal'),
      ],
    }
  },
}

/** Learners after as many strings as both modes have. */
const bothModes = (frame: Frame) =>
  learnersOf(frame).flatMap((learner) =>
    [...learner.trained].flatMap(([strings, trained]) => {
      const context = learner.context.get(strings)
      const { base, language: of } = learner
      return context === undefined
        ? []
        : [{ key: { base, language: of, strings }, name: `${base} ${of} ${strings}`, learner, trained, context }]
    }),
  )

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
    const rows = bothModes(frame).map(({ key, name, learner, trained, context }) => {
      const inContext = aucsOf(learner.context, distance).map(({ k, auc: { value } }) => ({ k, value }))
      const { matched } = matchedAuc(trained, atDistance(distance))
      const worth = (end: 'value' | 'low' | 'high'): number | null => {
        const needed = matched && crossing(inContext, matched[end])
        return needed === null || key.strings === 0 ? null : needed / key.strings
      }
      const gap = aucDifference(pairStrings(context, trained), distance, seed, `gap ${name}`)
      return { key: { ...key, zero: 0 }, gap, worth }
    })
    if (rows.length === 0) return { tables: [] }
    const gaps = tableOf('proficiency/modes-gap', 'Trained minus in context', TRAINED_COLUMNS, rows, [
      [column.estimate('gap', 'AUC, trained - in context', null), ({ gap }) => gap],
      [column.number('worth', 'Strings in context for one trained'), ({ worth }) => worth('value')],
      [column.number('least', 'At least'), ({ worth }) => worth('low')],
      [column.number('mostly', 'At most'), ({ worth }) => worth('high')],
    ])
    const curve = figure(gaps, {
      x: { key: 'strings', scale: 'log' },
      y: 'gap',
      facet: 'language',
      marks: [{ kind: 'reference', y: 'zero' }, ...marksBy('base', 'interval', 'line', 'point')],
    })
    return { tables: [gaps], figures: [curve] }
  },
}

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
    const rows = bothModes(frame).flatMap(({ key, name, trained, context }) =>
      sets.map(({ among, of }) => ({
        ...key,
        line: `${key.base}, ${among}`,
        auc: meanAucOf([trained, context], distance),
        among,
        ...correlations(lossesOf(trained, of), lossesOf(context, of), analysisStream(seed, `bias ${name} ${among}`)),
      })),
    )
    if (rows.length === 0) return { tables: [] }
    const biases = table(
      'proficiency/modes-bias',
      'Correlation of losses',
      [
        ...TRAINED_COLUMNS,
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
    const curve = figure(biases, { x: 'auc', y: 'pearson', facet: 'language', marks: marksBy('line', 'line', 'point') })
    return { tables: [biases], figures: [curve] }
  },
}

function meanAucOf(both: readonly (readonly Context[])[], distance = ''): number | null {
  const values = both.flatMap((contexts) => matchedAuc(contexts, atDistance(distance)).matched?.value ?? [])
  return values.length < both.length ? null : mean(values)
}

/** A string's loss in each repetition, and what all models share of it. */
interface Losses {
  readonly byRepetition: Map<string, number>
  readonly floor: number
  readonly length: number
}

function lossesOf(contexts: readonly Context[], of: (s: ScoredString) => boolean): ReadonlyMap<string, Losses> {
  const found = new Map<string, Losses>()
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
  const firsts = lists.map((list) => column('first', list))
  const seconds = lists.map((list) => column('second', list))
  const across = (a: readonly Float64Array[], b: readonly Float64Array[], counts: Int32Array): number | null =>
    meanOrNull(a.flatMap((x, i) => b.flatMap((y, j) => (i === j ? [] : (weightedCorrelation(x, y, counts) ?? [])))))
  const disattenuated = (counts: Int32Array): number | null => {
    const r = across(firsts, seconds, counts)
    const [first, second] = [across(firsts, firsts, counts) ?? 0, across(seconds, seconds, counts) ?? 0]
    return r === null || first <= 0 || second <= 0 ? null : r / Math.sqrt(first * second)
  }
  const all = new Int32Array(strings.length).fill(1)
  return {
    pearson: pearson(xs, ys)?.estimate ?? null,
    spearman: spearman(xs, ys)?.r ?? null,
    partial: pearson(residuals(xs, given), residuals(ys, given))?.r ?? null,
    other: across(firsts, seconds, all),
    reliabilityTrained: across(firsts, firsts, all),
    reliabilityContext: across(seconds, seconds, all),
    disattenuated: clusterBootstrap(strings.length, strings.length, disattenuated, { stream, draws: 400 }),
  }
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
