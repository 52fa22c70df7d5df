import { z } from 'zod'
import type { Json } from '../../core/index.ts'

/** How a sample can come out. */
export const outcomes = ['right', 'wrong', 'unparsed', 'failed', 'other'] as const

/** `name=value` or `name>=number`, `name<=number`. */
const condition = z
  .string()
  .max(300)
  .regex(/^[\w.-]+(?:=|>=|<=)/u, 'expected name=value, name>=number or name<=number')

/** Which items of a run; all parts must hold. Stands in the address of the page, and the server takes nothing else. */
export const itemsFilter = z.object({
  /** Whose readings count; left out: those that the run was made for, which the server fills in. */
  parser: z.string().max(200).optional(),
  task: z.string().max(200).optional(),
  style: z.string().max(200).optional(),
  config: z.string().max(500).optional(),
  /** Found in the prompt, whatever the case of letters. */
  prompt: z.string().max(200).optional(),
  /** Only items with a response, of this model where one is named, ... */
  model: z.string().max(300).optional(),
  /** ... that came out so, ... */
  outcome: z.enum(outcomes).optional(),
  /** ... whose answer or reasoning holds this, whatever the case of letters, ... */
  text: z.string().max(200).optional(),
  /** ... and that took or got so much, such as `reasoning>=100`: one response must keep all of these. */
  amount: z.array(condition).max(24).default([]),
  /** How the models that answered lie: some always right and some not, not all answers the same, all right, none right. */
  among: z.enum(['split', 'answers', 'right', 'none']).optional(),
  /** Two models of which exactly the first, exactly the second, both, none or one were always right. */
  a: z.string().max(300).optional(),
  b: z.string().max(300).optional(),
  pair: z.enum(['onlyA', 'onlyB', 'both', 'neither', 'differ']).optional(),
  /** With `differ`: the shares of right samples are apart by at least this. */
  by: z.coerce.number().gt(0).max(1).optional(),
  /** Conditions on features. Of several values of one feature any will do. */
  feature: z.array(condition).max(48).default([]),
})
export type ItemsFilter = z.infer<typeof itemsFilter>

export interface FilterCondition {
  readonly name: string
  readonly operator: '=' | '>=' | '<='
  readonly value: string
}

/** @throws Error where it is none; {@link itemsFilter} lets only such through. */
export function filterCondition(text: string): FilterCondition {
  const match = /^(?<name>[\w.-]+)(?<operator>>=|<=|=)(?<value>.*)$/su.exec(text)
  const { name, operator, value } = match?.groups ?? {}
  if (name === undefined || value === undefined || (operator !== '=' && operator !== '>=' && operator !== '<='))
    throw new Error(`a condition is name=value, name>=number or name<=number, got "${text.slice(0, 80)}"`)
  return { name, operator, value }
}

/** The conditions on each name: all of its bounds must hold, and one of its values where some are named. */
export const conditionsByName = (texts: readonly string[]): ReadonlyMap<string, readonly FilterCondition[]> =>
  Map.groupBy(texts.map(filterCondition), ({ name }) => name)

/** Does the value of a feature keep the conditions on it? What is missing keeps none. */
export function keeps(value: Json | undefined, conditions: readonly FilterCondition[]): boolean {
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

/**
 * Reads a filter from the parameters of an address.
 *
 * @param error - says what does not fit in words of its own; the pages go without.
 */
export function filterOf(parameters: Parameters, error?: z.core.$ZodErrorMap): z.ZodSafeParseResult<ItemsFilter> {
  const given = [...parameters].filter(([, value]) => value !== '')
  const all = (list: string): string[] => given.filter(([name]) => name === list).map(([, value]) => value)
  const read = { ...Object.fromEntries(given), feature: all('feature'), amount: all('amount') }
  return itemsFilter.safeParse(read, error === undefined ? undefined : { error })
}

/** What of an address is no filter: which part, and what was expected. */
export function misfitOfFilter({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? 'it cannot be read' : `${String(issue.path[0] ?? 'filter')}: ${issue.message}`
}

/** Writes a filter as parameters of an address; what stands at its default is left out. */
export const parametersOf = (filter: ItemsFilter): [name: string, value: string][] =>
  Object.entries(filter).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value)
      ? value.map((one: string): [string, string] => [name, one])
      : value === undefined || value === ''
        ? []
        : [[name, String(value)]],
  )

/** What of a filter goes by what came out or was said: whoever chooses by it chooses the shares themselves. */
const told = ({ text, outcome, among, pair, amount }: ItemsFilter): number =>
  [text, outcome, among, pair].filter(Boolean).length + amount.length

/** How many conditions a filter makes: each is a look at the data. */
export const conditionCount = (filter: ItemsFilter): number =>
  told(filter) +
  filter.feature.length +
  [filter.task, filter.style, filter.config, filter.prompt].filter(Boolean).length

/** What of a filter goes by what items are, and whose readings count. */
export const subsetFilter = ({ parser, task, style, config, prompt, feature }: ItemsFilter): ItemsFilter =>
  itemsFilter.parse({ parser, task, style, config, prompt, feature })

/**
 * Does a filter choose items by what they are alone? Then shares among them are estimates, corrected for how often somebody chose. Who chooses by
 * what came out, or was said, chooses the shares themselves.
 */
export const isSubset = (filter: ItemsFilter): boolean => told(filter) === 0 && conditionCount(filter) > 0
