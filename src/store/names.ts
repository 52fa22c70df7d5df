import type { Features, Outcome } from '../core/index.ts'

export type FeatureType = 'number' | 'boolean' | 'text'

/** The names that rows of a run have columns for. */
export interface RowNames {
  readonly features: { readonly [name: string]: FeatureType }
  /** Parser names, and for each the names of the parts its verdicts have. */
  readonly parsers: { readonly [parser: string]: readonly string[] }
  readonly measured: readonly string[]
}

/** Collects the names as items and outcomes pass by, so that no second pass is needed to know the columns. */
export class NameCollector {
  private readonly features = new Map<string, FeatureType>()
  private readonly parsers = new Map<string, Set<string>>()
  private readonly measured = new Set<string>()
  /** True when something was learnt since it was last set to false. */
  changed = false

  constructor(known?: RowNames) {
    if (known === undefined) return
    for (const [name, type] of Object.entries(known.features)) this.features.set(name, type)
    for (const [parser, parts] of Object.entries(known.parsers)) this.parsers.set(parser, new Set(parts))
    for (const name of known.measured) this.measured.add(name)
  }

  item(features: Features): void {
    for (const [name, value] of Object.entries(features)) {
      if (value === null) continue
      const type = typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean')
      const before = this.features.get(name)
      // A name used with two types is shown as text.
      const now = before === undefined || before === type ? type : 'text'
      if (now === before) continue
      this.features.set(name, now)
      this.changed = true
    }
  }

  outcome(outcome: Outcome): void {
    if (outcome.kind === 'measured') {
      for (const name of Object.keys(outcome.values)) this.learn(this.measured, name)
    } else if (outcome.kind === 'answered') {
      for (const [parser, verdict] of Object.entries(outcome.verdicts)) {
        let parts = this.parsers.get(parser)
        if (parts === undefined) {
          parts = new Set()
          this.parsers.set(parser, parts)
          this.changed = true
        }
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

  names(): RowNames {
    return {
      features: Object.fromEntries(this.features),
      parsers: Object.fromEntries([...this.parsers].map(([parser, parts]) => [parser, [...parts]])),
      measured: [...this.measured],
    }
  }
}
