import type { Analysis, Estimate, Figure, Table } from '../../../core/index.ts'
import { arrangements } from '../../../libraries/grammars/pcfg/index.ts'
import { clusteredMeanEstimate, mean } from '../../../libraries/statistics/index.ts'
import { atDistance } from './auc-of.ts'
import { type Context, type Curve, curvesOf, distancesOf, estimate, lossOf, needs, number, text } from './cells.ts'
import { matchedAuc } from './matched.ts'

/** What each arrangement of the same words is, from the class below to the one above. */
const classes = { local: 'regular', nested: 'context-free', crossed: 'multiple context-free' } as const
type Arrangement = (typeof arrangements)[number]
const pairs = [
  ['local', 'nested'],
  ['nested', 'crossed'],
  ['local', 'crossed'],
] as const satisfies readonly (readonly [Arrangement, Arrangement])[]

/** Does the class of a language matter where its entropy, lengths and tokens do not differ? */
export const classesAnalysis: Analysis = {
  id: 'proficiency/classes',
  title: 'Regular, context-free and multiple context-free languages, matched',
  notes: [
    'A triple is three languages of the same words, each token with its partner: behind it (local, regular), last in first out (nested, context-free), first in first out (crossed, multiple context-free). A word has the same probability in all three, so entropy, lengths and counts of tokens are equal; only the place of the partners differs.',
    'Differences are paired by triple and repetition, second - first; intervals cluster by triple where there are several, by repetition where there is one. Length-matched AUC at the smallest distance of the run; excess: mean nats a string above the language’s own.',
    'Chance, and what the length alone tells, is an AUC of one half in every class.',
  ],
  needs,
  run(frame) {
    const units = unitsOf(curvesOf(frame))
    const levels = levelRows(units)
    if (levels.length === 0) return { tables: [] }
    return { tables: [differences(units), levelTable(levels)], figures }
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
  const distance = distancesOf(curves).find((d) => d !== '0')
  const own = curves.flatMap((curve) => {
    const found = placeOf(curve.language)
    return found === null ? [] : [{ ...curve, ...found }]
  })
  const whole = (triple: string, model: string) =>
    arrangements.every((a) => own.some((c) => c.triple === triple && c.model === model && c.arrangement === a))
  return own
    .filter(({ triple, model }) => whole(triple, model))
    .flatMap(({ model, triple, arrangement, byK }) =>
      [...byK].flatMap(([k, contexts]) =>
        contexts.flatMap((context): Unit[] => {
          const excess = excessOf(context)
          return excess === null
            ? []
            : [{ model, triple, arrangement, k, repetition: context.repetition, auc: aucOf(context, distance), excess }]
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

function aucOf(context: Context, distance: string | undefined): number | null {
  if (distance === undefined) return null
  const found = matchedAuc([context], atDistance(distance), (s) => -lossOf(s))
  return found.kind === 'auc' ? found.estimate.value : null
}

/** The mean of values, clustered by triple, or by repetition where there is one triple; without an interval where one cluster is all. */
function meanOver(
  units: readonly { readonly triple: string; readonly repetition: string; readonly value: number }[],
): Estimate | number | null {
  if (units.length === 0) return null
  const triples = new Set(units.map(({ triple }) => triple)).size
  const names = units.map(({ triple, repetition }) => (triples > 1 ? triple : repetition))
  const codes = new Map([...new Set(names)].map((name, i) => [name, i]))
  const values = units.map(({ value }) => value)
  return (
    clusteredMeanEstimate(
      values,
      names.map((name) => codes.get(name) as number),
    ) ?? mean(values)
  )
}

/** All triples together, then each for itself. */
const scopes = (units: readonly Unit[]): readonly (readonly [name: string, units: readonly Unit[]])[] => {
  const byTriple = [...Map.groupBy(units, ({ triple }) => triple)]
  return byTriple.length > 1 ? [['all', units] as const, ...byTriple] : byTriple
}

const groups = (units: readonly Unit[]) =>
  [...Map.groupBy(units, ({ model, k }) => `${model}\n${k}`).values()].flatMap((list) =>
    scopes(list).map(([triple, own]) => ({ triple, own, model: (own[0] as Unit).model, k: (own[0] as Unit).k })),
  )

function differences(units: readonly Unit[]): Table {
  const rows = groups(units).flatMap(({ triple, own, model, k }) =>
    pairs.map(([first, second]) => {
      const paired = pairUp(own, first, second)
      const delta = (of: (unit: Unit) => number | null) =>
        meanOver(
          paired.flatMap(({ a, b }) => {
            const [x, y] = [of(a), of(b)]
            return x === null || y === null ? [] : [{ triple: a.triple, repetition: a.repetition, value: y - x }]
          }),
        )
      return {
        model,
        k,
        triple,
        first: classes[first],
        second: classes[second],
        pairs: paired.length,
        auc: delta(({ auc }) => auc),
        excess: delta(({ excess }) => excess),
      }
    }),
  )
  return {
    id: 'proficiency/classes',
    title: 'Classes compared over matched triples',
    columns: [
      text('model', 'Model'),
      number('k', 'Examples'),
      text('triple', 'Triple'),
      text('first', 'First'),
      text('second', 'Second'),
      number('pairs', 'Pairs'),
      estimate('auc', 'Length-matched AUC, difference', null),
      estimate('excess', 'Excess, difference', 'nats'),
    ],
    rows,
  }
}

function pairUp(units: readonly Unit[], first: Arrangement, second: Arrangement) {
  const keyOf = ({ triple, repetition }: Unit) => `${triple}\n${repetition}`
  const others = new Map(units.filter((u) => u.arrangement === second).map((u) => [keyOf(u), u]))
  return units.flatMap((a) => {
    const b = a.arrangement === first ? others.get(keyOf(a)) : undefined
    return b === undefined ? [] : [{ a, b }]
  })
}

interface Level {
  readonly [key: string]: string | number | Estimate | null
}

/** Over all triples. */
const levelRows = (units: readonly Unit[]): Level[] =>
  [...Map.groupBy(units, ({ model, k }) => `${model}\n${k}`).values()].flatMap((own) =>
    arrangements.map((arrangement): Level => {
      const mine = own.filter((unit) => unit.arrangement === arrangement)
      const { model, k } = own[0] as Unit
      const values = (of: (unit: Unit) => number | null) =>
        meanOver(
          mine.flatMap((unit) => {
            const value = of(unit)
            return value === null ? [] : [{ ...unit, value }]
          }),
        )
      return {
        model,
        k: k === 0 ? null : k,
        examples: k,
        class: classes[arrangement],
        auc: values(({ auc }) => auc),
        excess: values(({ excess }) => excess),
      }
    }),
  )

const id = 'proficiency/classes-levels'

const levelTable = (rows: readonly Level[]): Table => ({
  id,
  title: 'Each class, over all triples',
  columns: [
    text('model', 'Model'),
    number('examples', 'Examples'),
    text('class', 'Class'),
    estimate('auc', 'Length-matched AUC', 'share'),
    estimate('excess', 'Excess', 'nats'),
  ],
  rows,
})

const shape = (y: 'auc' | 'excess', label: string, unit: string): Figure => ({
  id: `${id}-${y}`,
  title: `${label} by class`,
  table: id,
  x: { key: 'k', label: 'Examples', scale: 'log' },
  y: { key: y, label, unit },
  facet: 'model',
  marks: [
    { kind: 'interval', series: 'class' },
    { kind: 'line', series: 'class' },
    { kind: 'point', series: 'class' },
  ],
})
const figures = [shape('auc', 'Length-matched AUC', 'share'), shape('excess', 'Excess', 'nats')]
