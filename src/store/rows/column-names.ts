import { z } from 'zod'
import type { Features, Outcome } from '../../core/index.ts'
import { parseStored } from '../records.ts'

export type FeatureType = 'number' | 'boolean' | 'text'

/** Types of features by task: two tasks may use one name for two things. */
export type FeatureTypes = { readonly [task: string]: { readonly [name: string]: FeatureType } }

/** The names that rows of a run have columns for. */
export interface ColumnNames {
  readonly features: FeatureTypes
  /** Parser names, and for each the names of the parts its verdicts have. */
  readonly parsers: { readonly [parser: string]: readonly string[] }
  readonly measured: readonly string[]
}

const columnNames: z.ZodType<ColumnNames> = z.object({
  features: z.record(z.string(), z.record(z.string(), z.enum(['number', 'boolean', 'text']))),
  parsers: z.record(z.string(), z.array(z.string())),
  measured: z.array(z.string()),
})

/** The names as they stand in a ledger; null: nothing has been recorded. @throws StoreError for what this program did not write */
export const parseColumnNames = (text: string | null): ColumnNames =>
  text === null
    ? { features: {}, parsers: {}, measured: [] }
    : parseStored(columnNames, text, 'what the ledger says of the columns of its rows')

/** Collects the names as items and outcomes pass by, so that no second pass is needed to know the columns. */
export class NameCollector {
  private readonly features = new Map<string, Map<string, FeatureType>>()
  private readonly parsers = new Map<string, Set<string>>()
  private readonly measured = new Set<string>()
  /** True where a name was added since it was last set to false. */
  changed = false

  constructor(known: ColumnNames) {
    for (const [task, types] of Object.entries(known.features)) this.features.set(task, new Map(Object.entries(types)))
    for (const [parser, parts] of Object.entries(known.parsers)) this.parsers.set(parser, new Set(parts))
    for (const name of known.measured) this.measured.add(name)
  }

  item(task: string, features: Features): void {
    const types = this.features.get(task) ?? new Map<string, FeatureType>()
    this.features.set(task, types)
    for (const [name, value] of Object.entries(features)) {
      if (value === null) continue
      const before = types.get(name)
      const now = merged(before, featureType(value))
      if (now === before) continue
      types.set(name, now)
      this.changed = true
    }
  }

  outcome(outcome: Outcome): void {
    if (outcome.kind === 'measured') {
      for (const name of Object.keys(outcome.values)) this.learn(this.measured, name)
    } else if (outcome.kind === 'answered') {
      for (const [parser, verdict] of Object.entries(outcome.results)) {
        const known = this.parsers.get(parser)
        const parts = known ?? new Set()
        this.parsers.set(parser, parts)
        this.changed ||= known === undefined
        if (verdict.kind === 'graded' && verdict.parts !== undefined)
          for (const name of Object.keys(verdict.parts)) this.learn(parts, name)
      }
    }
  }

  private learn(set: Set<string>, name: string): void {
    if (set.has(name)) return
    set.add(name)
    this.changed = true
  }

  names(): ColumnNames {
    return {
      features: Object.fromEntries([...this.features].map(([task, types]) => [task, Object.fromEntries(types)])),
      parsers: Object.fromEntries([...this.parsers].map(([parser, parts]) => [parser, [...parts]])),
      measured: [...this.measured],
    }
  }
}

/** A name used with two types is shown as text. */
const merged = (before: FeatureType | undefined, type: FeatureType): FeatureType =>
  before === undefined || before === type ? type : 'text'

export const featureType = (value: string | number | boolean): FeatureType =>
  typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean')

/** One type a name, over tasks or models. */
export function columnTypes(all: readonly FeatureTypes[string][]): ReadonlyMap<string, FeatureType> {
  const types = new Map<string, FeatureType>()
  for (const one of all) for (const [name, type] of Object.entries(one)) types.set(name, merged(types.get(name), type))
  return types
}
