import { trueMinus } from '../../../core/text.ts'
import {
  conditionsByName,
  type FilterCondition,
  type ItemsFilter,
  type TokenMeasure,
  tokenMeasures,
} from '../../api/index.ts'
import { formatValue, visible } from './format.ts'
import { modelName } from './names.ts'

export const measureWords: { readonly [M in TokenMeasure]: string } = {
  reasoning: 'reasoning tokens',
  answer: 'answer tokens',
  prompt: 'prompt tokens',
  usd: 'US dollars',
  seconds: 'seconds',
}

export const amountWords = (name: string): string => {
  const measure = tokenMeasures.find((one) => one === name)
  return measure === undefined
    ? visible(name.replace(/^(?<kind>subscore|metric)_/u, '$<kind> '))
    : measureWords[measure]
}

/** One condition of a filter as text, and the filter without it. */
interface FilterPart {
  readonly name: string
  readonly words: string
  readonly without: ItemsFilter
}

/** What a filter asks for, what items are first. */
export function filterParts(filter: ItemsFilter): readonly FilterPart[] {
  const { feature, amount, pair, a = '', b = '', by } = filter
  const part = (name: string, words: string, without: Partial<ItemsFilter>): FilterPart => ({
    name,
    words,
    without: { ...filter, ...without },
  })
  const plain = (name: 'task' | 'style' | 'config' | 'text' | 'outcome', words: string) => {
    const value = filter[name]
    return value === undefined ? [] : [part(name, `${words} ${formatValue(value, 60)}`.trim(), { [name]: undefined })]
  }
  return [
    ...plain('task', 'task'),
    ...plain('style', 'style'),
    ...plain('config', 'config'),
    ...[...conditionsByName(feature)].map(([name, conditions]) =>
      part(`feature ${name}`, conditionWords(visible(name), conditions), { feature: without(feature, name) }),
    ),
    ...plain('outcome', 'outcome'),
    ...plain('text', 'question or answer contains'),
    ...[...conditionsByName(amount)].map(([name, conditions]) =>
      part(`amount ${name}`, conditionWords(amountWords(name), conditions), { amount: without(amount, name) }),
    ),
    ...(filter.among === undefined ? [] : [part('among', amongWords[filter.among], { among: undefined })]),
    ...(pair === undefined
      ? []
      : [
          part('pair', pairWords(pair, modelName(a), modelName(b), by), {
            pair: undefined,
            a: undefined,
            b: undefined,
            by: undefined,
          }),
        ]),
  ]
}

/** The conditions on other names than this one. */
export const without = (conditions: readonly string[], name: string): string[] =>
  [...conditionsByName(conditions)].flatMap(([other, own]) =>
    other === name ? [] : own.map(({ operator, value }) => `${other}${operator}${value}`),
  )

function conditionWords(name: string, conditions: readonly FilterCondition[]): string {
  const same = conditions
    .filter(({ operator }) => operator === '=')
    .map(({ value }) => formatValue(value, 40) || 'nothing')
  const bound = (wanted: '>=' | '<='): string[] =>
    conditions.filter(({ operator }) => operator === wanted).map(({ value }) => trueMinus(formatValue(value, 20)))
  const [low, high] = [bound('>='), bound('<=')]
  const range =
    low.length === 1 && high.length === 1
      ? [`${low[0]} to ${high[0]}`]
      : [...low.map((value) => `≥ ${value}`), ...high.map((value) => `≤ ${value}`)]
  return `${name} ${[...(same.length === 0 ? [] : [`= ${same.join(' or ')}`]), ...range].join(', ')}`
}

const amongWords: { readonly [among in NonNullable<ItemsFilter['among']>]: string } = {
  split: 'some models correct, some not',
  answers: 'answers differ',
  none: 'no model correct',
  right: 'all models correct',
}

const pairWords = (pair: NonNullable<ItemsFilter['pair']>, a: string, b: string, by?: number): string =>
  ({
    onlyA: `only ${a} correct, not ${b}`,
    onlyB: `only ${b} correct, not ${a}`,
    both: `${a} and ${b} correct`,
    neither: `neither ${a} nor ${b} correct`,
    differ:
      by === undefined
        ? `either ${a} or ${b} correct, not both`
        : `accuracies of ${a} and ${b} differ by at least ${by}`,
  })[pair]

/**
 * A subset of items as the condition that `--where` takes on the command line: SQL over the columns of the rows. null where nothing is
 * selected.
 */
export function whereOf({ task, style, config, feature }: ItemsFilter): string | null {
  const facts = Object.entries({ task, style, config }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} = ${literal(value)}`],
  )
  const features = [...conditionsByName(feature).values()].map(conditionsOn)
  const parts = [...facts, ...features]
  return parts.length === 0 ? null : parts.join(' AND ')
}

/** All bounds must hold, and one of the values where some are named. */
function conditionsOn(conditions: readonly FilterCondition[]): string {
  const written = conditions.map(({ name, operator, value }) => ({
    operator,
    sql: `"feature_${name}" ${operator} ${operator === '=' ? literal(value) : Number(value)}`,
  }))
  const same = written.filter(({ operator }) => operator === '=').map(({ sql }) => sql)
  const bounds = written.filter(({ operator }) => operator !== '=').map(({ sql }) => sql)
  return [...(same.length > 1 ? [`(${same.join(' OR ')})`] : same), ...bounds].join(' AND ')
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
