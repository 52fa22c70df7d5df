import { z } from 'zod'
import type { Json } from '../../core/index.ts'

/** How a sample can come out. */
export const outcomes = ['right', 'wrong', 'unparsed', 'failed', 'other'] as const

/** Which items of a run; all parts must hold. Stands in the address of the page, and the server takes nothing else. */
export const itemsFilter = z.object({
  /** Whose readings count. */
  parser: z.string().max(200).default('strict'),
  task: z.string().max(200).optional(),
  style: z.string().max(200).optional(),
  config: z.string().max(500).optional(),
  /** Found in what models answered or thought, whatever the case of letters. */
  text: z.string().max(200).optional(),
  /** Only items on which this model ... */
  model: z.string().max(300).optional(),
  /** ... came out so in at least one sample. */
  outcome: z.enum(outcomes).optional(),
  /** Two models of which exactly the first, exactly the second, both or none were always right. */
  a: z.string().max(300).optional(),
  b: z.string().max(300).optional(),
  pair: z.enum(['onlyA', 'onlyB', 'both', 'neither', 'differ']).optional(),
  /** `name=value` or `name>=number`, `name<=number`, by feature. Of several values of one feature any will do. */
  feature: z
    .array(
      z
        .string()
        .max(300)
        .regex(/^[\w.-]+(?:=|>=|<=)/u),
    )
    .max(48)
    .default([]),
})
export type ItemsFilter = z.infer<typeof itemsFilter>

export interface FeatureCondition {
  readonly name: string
  readonly operator: '=' | '>=' | '<='
  readonly value: string
}

/** @throws Error where it is none; {@link itemsFilter} lets only such through. */
export function featureCondition(text: string): FeatureCondition {
  const match = /^(?<name>[\w.-]+)(?<operator>>=|<=|=)(?<value>.*)$/su.exec(text)
  const { name, operator, value } = match?.groups ?? {}
  if (name === undefined || value === undefined || (operator !== '=' && operator !== '>=' && operator !== '<='))
    throw new Error(`a condition on a feature is name=value, name>=number or name<=number, got "${text.slice(0, 80)}"`)
  return { name, operator, value }
}

/** The conditions on each feature: all of its bounds must hold, and one of its values where some are named. */
export const conditionsByFeature = (texts: readonly string[]): ReadonlyMap<string, readonly FeatureCondition[]> =>
  Map.groupBy(texts.map(featureCondition), ({ name }) => name)

/** Does the value of a feature keep the conditions on it? What is missing keeps none. */
export function keeps(value: Json | undefined, conditions: readonly FeatureCondition[]): boolean {
  if (value === undefined || value === null) return false
  const same = conditions.filter(({ operator }) => operator === '=')
  const bounds = conditions.filter(({ operator }) => operator !== '=')
  return (
    (same.length === 0 || same.some((one) => isThat(value, one.value))) &&
    bounds.every(
      (one) =>
        typeof value === 'number' && (one.operator === '>=' ? value >= Number(one.value) : value <= Number(one.value)),
    )
  )
}

const isThat = (value: Json, text: string): boolean =>
  typeof value === 'number' ? text.trim() !== '' && value === Number(text) : String(value) === text

/** The parameters of an address, in their order. */
export type Parameters = Iterable<readonly [name: string, value: string]>

/** Reads a filter from the parameters of an address. */
export function filterOf(parameters: Parameters): z.ZodSafeParseResult<ItemsFilter> {
  const given = [...parameters].filter(([, value]) => value !== '')
  const plain = Object.fromEntries(given.filter(([name]) => name !== 'feature'))
  return itemsFilter.safeParse({
    ...plain,
    feature: given.filter(([name]) => name === 'feature').map(([, value]) => value),
  })
}

/** Writes a filter as parameters of an address; what stands at its default is left out. */
export const parametersOf = (filter: ItemsFilter): [name: string, value: string][] =>
  Object.entries(filter).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value)
      ? value.map((one: string): [string, string] => [name, one])
      : value === undefined || value === '' || (name === 'parser' && value === 'strict')
        ? []
        : [[name, value]],
  )

/**
 * Does a filter choose items by what they are alone? Then shares among them are estimates, corrected for how often somebody chose. Who chooses by
 * what came out, or was said, chooses the shares themselves.
 */
export const isCut = (filter: ItemsFilter): boolean =>
  filter.text === undefined && filter.outcome === undefined && filter.pair === undefined && conditionsOf(filter) > 0

/** How many conditions a filter makes: each is a look at the data. */
export const conditionsOf = (filter: ItemsFilter): number =>
  filter.feature.length +
  [filter.task, filter.style, filter.config, filter.text, filter.outcome, filter.pair].filter(Boolean).length
