import { z } from 'zod/mini'
import type { Json } from '../../core/index.ts'

export const outcomes = ['right', 'wrong', 'unparsed', 'truncated', 'refused', 'failed'] as const

/** `name=value` or `name>=number`, `name<=number`. */
const condition = z
  .string()
  .check(z.maxLength(300), z.regex(/^[\w.-]+(?:=|>=|<=)/u, 'expected name=value, name>=number or name<=number'))

/** Items of a run; all conditions must hold. Written in the address of a page; the server accepts no other query. */
export const itemsFilter = z.object({
  /** Default: the parser selected for the run, else strict; the server fills it in. */
  parser: z.optional(z.string().check(z.maxLength(200))),
  task: z.optional(z.string().check(z.maxLength(200))),
  style: z.optional(z.string().check(z.maxLength(200))),
  config: z.optional(z.string().check(z.maxLength(500))),
  /** Only items with a response, of this model where one is named, ... */
  model: z.optional(z.string().check(z.maxLength(300))),
  /** ... with this outcome, ... */
  outcome: z.optional(z.enum(outcomes)),
  /** ... whose answer or reasoning contains this text, or whose prompt does, case-insensitive, ... */
  text: z.optional(z.string().check(z.maxLength(200))),
  /** ... and with these metrics, such as `reasoning>=100`: one response must fulfil all of them. */
  amount: z._default(z.array(condition).check(z.maxLength(24)), []),
  /** Agreement of the models that answered: some correct and some not, answers differ, all correct, none correct. */
  among: z.optional(z.enum(['split', 'answers', 'right', 'none'])),
  /** Two models: only the first, only the second, both, neither or exactly one correct in all samples. */
  a: z.optional(z.string().check(z.maxLength(300))),
  b: z.optional(z.string().check(z.maxLength(300))),
  pair: z.optional(z.enum(['onlyA', 'onlyB', 'both', 'neither', 'differ'])),
  /** With `differ`: least difference of the shares of correct samples. */
  by: z.optional(z.coerce.number().check(z.gt(0), z.maximum(1))),
  /** Order of the items: `wrong` (models that are), an amount such as `answer`, most first; or `feature NAME`. Default: that of the run. */
  sort: z.optional(z.string().check(z.maxLength(200))),
  /** Conditions on features; of several values of one feature any fits. */
  feature: z._default(z.array(condition).check(z.maxLength(48)), []),
})
export type ItemsFilter = z.infer<typeof itemsFilter>

type Segment = Pick<ItemsFilter, 'outcome' | 'among'>
/** Items by outcome, as conditions of a filter. */
export const segments = {
  all: {},
  wrong: { outcome: 'wrong' },
  differ: { among: 'split' },
  unparsed: { outcome: 'unparsed' },
  truncated: { outcome: 'truncated' },
  refused: { outcome: 'refused' },
  failed: { outcome: 'failed' },
} as const satisfies { readonly [name: string]: Segment }
export type SegmentName = keyof typeof segments

/** How many items each segment has. @param count - counts the items that fulfil conditions on their outcomes. */
export const countSegments = (count: (segment: Segment) => number): { [name in SegmentName]: number } =>
  Object.fromEntries(Object.entries(segments).map(([name, segment]) => [name, count(segment)])) as {
    [name in SegmentName]: number
  }

export interface FilterCondition {
  readonly name: string
  readonly operator: '=' | '>=' | '<='
  readonly value: string
}

/** @throws Error for any other text; {@link itemsFilter} accepts only conditions. */
export function filterCondition(text: string): FilterCondition {
  const match = /^(?<name>[\w.-]+)(?<operator>>=|<=|=)(?<value>.*)$/su.exec(text)
  const { name, operator, value } = match?.groups ?? {}
  if (name === undefined || value === undefined || (operator !== '=' && operator !== '>=' && operator !== '<='))
    throw new Error(`expected name=value, name>=number or name<=number, got "${text.slice(0, 80)}"`)
  return { name, operator, value }
}

/** The conditions by name: all bounds of a name must hold, and one of its values if any are given. */
export const conditionsByName = (texts: readonly string[]): ReadonlyMap<string, readonly FilterCondition[]> =>
  Map.groupBy(texts.map(filterCondition), ({ name }) => name)

/** True if the value of a feature fulfils the conditions on it; a missing value never does. */
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
 * @param error - writes the messages of misfits. Default: those of zod.
 */
export function filterOf(
  parameters: Parameters,
  error?: z.core.$ZodErrorMap,
): z.core.util.SafeParseResult<ItemsFilter> {
  const given = [...parameters].filter(([, value]) => value !== '')
  const all = (list: string): string[] => given.filter(([name]) => name === list).map(([, value]) => value)
  const read = { ...Object.fromEntries(given), feature: all('feature'), amount: all('amount') }
  return itemsFilter.safeParse(read, error === undefined ? undefined : { error })
}

/** The first misfit: its part, and what was expected. */
export function misfitOfFilter({ issues: [issue] }: z.core.$ZodError): string {
  return issue === undefined ? 'not a filter' : `${String(issue.path[0] ?? 'filter')}: ${issue.message}`
}

/** Writes a filter as parameters of an address, without defaults. */
export const parametersOf = (filter: ItemsFilter): [name: string, value: string][] =>
  Object.entries(filter).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value)
      ? value.map((one: string): [string, string] => [name, one])
      : value === undefined || value === ''
        ? []
        : [[name, String(value)]],
  )

/** Conditions on outcomes or response texts; accuracies in such a subset are not estimates. */
const outcomeConditions = ({ text, outcome, among, pair, amount }: ItemsFilter): number =>
  [text, outcome, among, pair].filter(Boolean).length + amount.length

export const conditionCount = (filter: ItemsFilter): number =>
  outcomeConditions(filter) + filter.feature.length + [filter.task, filter.style, filter.config].filter(Boolean).length

/** The parser and the conditions on properties of items. */
export const subsetFilter = ({ parser, task, style, config, feature }: ItemsFilter): ItemsFilter =>
  itemsFilter.parse({ parser, task, style, config, feature })

/** True if a filter has conditions on properties of items only. Accuracies in such a subset are estimates, with intervals for all subsets viewed. */
export const isSubset = (filter: ItemsFilter): boolean => outcomeConditions(filter) === 0 && conditionCount(filter) > 0

/** The schema of a document about one run: its tag, `touchstone/view-NAME/1`, also names it in addresses. */
export type RunDocumentSchema<T> = z.ZodMiniType<T> & {
  readonly shape: { readonly schema: z.ZodMiniLiteral<string> }
}

export const documentName = ({ shape }: RunDocumentSchema<unknown>): string =>
  String(shape.schema.def.values[0]).replace(/^touchstone\/view-(.*)\/1$/u, '$1')

/** The address of a document about a run; pages, server and export write it here alone. */
export function documentPath(run: string, schema: RunDocumentSchema<unknown>, query: Parameters = []): string {
  const text = [...query]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
  return `/api/runs/${run}/${documentName(schema)}${text === '' ? '' : `?${text}`}`
}
