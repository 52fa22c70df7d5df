import { type Analysis, column, type Estimate, figure, marksBy, type Table, tableOf } from '../../../core/index.ts'
import { arrangements } from '../../../libraries/grammars/pcfg/index.ts'
import { clusteredMeanEstimate, mean } from '../../../libraries/statistics/index.ts'
import { atDistance, matchedAuc } from './auc-of.ts'
import {
  type Context,
  type Curve,
  codesOf,
  curvesOf,
  EXAMPLES_AXIS,
  model,
  needs,
  outsideDistances,
  pointsOf,
} from './contexts.ts'

/** The class of each arrangement of the same words, from the lowest up. */
const classes = { local: 'regular', nested: 'context-free', crossed: 'multiple context-free' } as const
type Arrangement = (typeof arrangements)[number]
const PAIRS = [
  ['local', 'nested'],
  ['nested', 'crossed'],
  ['local', 'crossed'],
] as const satisfies readonly (readonly [Arrangement, Arrangement])[]

/** Does the class of a language matter where entropy, lengths and tokens are equal? */
export const classesAnalysis: Analysis = {
  id: 'proficiency/classes',
  title: 'Regular, context-free and multiple context-free languages, matched',
  notes: [
    'A triple: three languages of the same words, each token with its partner: behind it (local), last in first out (nested), first in first out (crossed).',
    'A word has the same probability in all three, so entropy, lengths and token counts are equal; chance and length alone give an AUC of one half.',
    'Differences: second − first, paired by triple and repetition; CIs cluster by triple, with one triple by repetition. AUC at the smallest distance.',
  ],
  needs,
  run(frame) {
    const units = unitsOf(curvesOf(frame))
    const levels = levelTable(units)
    const curveOf = (key: string, label: string) =>
      figure(levels, {
        id: `${levels.id}-${key}`,
        title: `${label} by class`,
        x: EXAMPLES_AXIS,
        y: key,
        facet: 'model',
        marks: marksBy('class', 'interval', 'line', 'point'),
      })
    const figures = [curveOf('auc', 'Length-matched AUC'), curveOf('excess', 'Excess')]
    return { tables: [differenceTable(units), levels], figures }
  },
}

/** A language of a triple in one repetition, after k examples. */
interface Unit {
  readonly model: string
  readonly triple: string
  readonly arrangement: Arrangement
  readonly k: number
  readonly repetition: string
  /** null where no strings inside and outside are of equal length. */
  readonly auc: number | null
  readonly excess: number
}

function unitsOf(curves: readonly Curve[]): Unit[] {
  const [distance] = outsideDistances(curves)
  const own = curves.flatMap((curve) => {
    const found = placeOf(curve.language)
    return found === null ? [] : [{ ...curve, ...found }]
  })
  const isComplete = (triple: string, name: string) =>
    arrangements.every((a) => own.some((c) => c.triple === triple && c.model === name && c.arrangement === a))
  return own
    .filter(({ triple, model: name }) => isComplete(triple, name))
    .flatMap((curve) =>
      pointsOf([curve]).flatMap(({ model: name, k, contexts }) =>
        contexts.flatMap((context): Unit[] => {
          const excess = excessOf(context)
          if (excess === null) return []
          const { triple, arrangement } = curve
          const { repetition } = context
          return [{ model: name, triple, arrangement, k, repetition, auc: aucOf(context, distance), excess }]
        }),
      ),
    )
}

function placeOf(language: string): { readonly triple: string; readonly arrangement: Arrangement } | null {
  const arrangement = arrangements.find((name) => language.endsWith(`-${name}`))
  return arrangement === undefined ? null : { triple: language.slice(0, -arrangement.length - 1), arrangement }
}

function excessOf({ strings }: Context): number | null {
  const excess = strings.flatMap(({ nats, floor }) => (floor === null ? [] : [nats - floor]))
  return excess.length === 0 ? null : excess.reduce((a, b) => a + b, 0) / excess.length
}

const aucOf = (context: Context, distance = ''): number | null =>
  matchedAuc([context], atDistance(distance)).matched?.value ?? null

/** The mean of a quantity of units, clustered by triple, with one triple by repetition; a plain number with one cluster. */
function meanOver(units: readonly Unit[], of: (unit: Unit) => number | null): Estimate | number | null {
  const known = units.filter((unit) => of(unit) !== null)
  if (known.length === 0) return null
  const values = known.map((unit) => of(unit) as number)
  const unitName = new Set(known.map(({ triple }) => triple)).size > 1 ? 'triple' : 'repetition'
  return clusteredMeanEstimate(values, codesOf(known.map((unit) => unit[unitName]))) ?? mean(values)
}

/** The units of each model and number of examples. */
const byPoint = (units: readonly Unit[]): readonly (readonly Unit[])[] => [
  ...Map.groupBy(units, ({ model: name, k }) => `${name}\n${k}`).values(),
]

/** All triples together, then each. */
function scopesOf(units: readonly Unit[]): readonly (readonly [name: string, units: readonly Unit[]])[] {
  const byTriple = [...Map.groupBy(units, ({ triple }) => triple)]
  return byTriple.length > 1 ? [['all', units], ...byTriple] : byTriple
}

const differenceTable = (units: readonly Unit[]): Table =>
  tableOf(
    'proficiency/classes',
    'Classes compared over matched triples',
    [
      model,
      column.number('k', 'Examples'),
      column.text('triple', 'Triple'),
      column.text('first', 'First'),
      column.text('second', 'Second'),
    ],
    byPoint(units).flatMap((all) =>
      scopesOf(all).flatMap(([triple, own]) =>
        PAIRS.map(([first, second]) => {
          const { model: name, k } = own[0] as Unit
          const key = { model: name, k, triple, first: classes[first], second: classes[second] }
          return { key, gaps: gapsOf(own, first, second) }
        }),
      ),
    ),
    [
      [column.number('pairs', 'Pairs'), ({ gaps }) => gaps.length],
      [column.estimate('auc', 'Length-matched AUC, difference', null), ({ gaps }) => meanOver(gaps, ({ auc }) => auc)],
      [column.estimate('excess', 'Excess, difference', 'nats'), ({ gaps }) => meanOver(gaps, ({ excess }) => excess)],
    ],
  )

/** Units of two arrangements paired by triple and repetition: the second minus the first. */
function gapsOf(units: readonly Unit[], first: Arrangement, second: Arrangement): readonly Unit[] {
  const keyOf = ({ triple, repetition }: Unit) => `${triple}\n${repetition}`
  const others = new Map(units.filter((u) => u.arrangement === second).map((u) => [keyOf(u), u]))
  return units.flatMap((a) => {
    const b = a.arrangement === first ? others.get(keyOf(a)) : undefined
    if (b === undefined) return []
    return [{ ...a, auc: a.auc === null || b.auc === null ? null : b.auc - a.auc, excess: b.excess - a.excess }]
  })
}

const levelTable = (units: readonly Unit[]): Table =>
  tableOf(
    'proficiency/classes-levels',
    'Each class, over all triples',
    [model, column.number('examples', 'Examples'), column.text('class', 'Class')],
    byPoint(units).flatMap((all) =>
      arrangements.map((arrangement) => {
        const { model: name, k } = all[0] as Unit
        const key = { model: name, k: k === 0 ? null : k, examples: k, class: classes[arrangement] }
        return { key, own: all.filter((unit) => unit.arrangement === arrangement) }
      }),
    ),
    [
      [column.estimate('auc', 'Length-matched AUC', 'share'), ({ own }) => meanOver(own, ({ auc }) => auc)],
      [column.estimate('excess', 'Excess', 'nats'), ({ own }) => meanOver(own, ({ excess }) => excess)],
    ],
  )
