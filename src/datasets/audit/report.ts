import { z } from 'zod'
import type { Analysis, Table } from '../../core/index.ts'
import type { WorstGroups } from './locality/worst-groups.ts'

/** `audit.json` (docs/audit.md#verdict). */

const interval = z.tuple([z.number(), z.number()])

export const testSchema = z.strictObject({
  probe: z.string(),
  kind: z.enum(['feature', 'fact', 'heuristic', 'learned', 'groups', 'baseline']),
  mode: z.enum(['all', 'across', 'within']),
  n: z.int(),
  z: z.number(),
  p: z.number(),
  pAdjusted: z.number(),
  method: z.enum(['normal', 'permutation', 't', 'binomial', 'chi-squared']),
  /** Of a fact: degrees of freedom, and the gain for each root of the noncentrality. */
  df: z.int().exactOptional(),
  perRoot: z.number().exactOptional(),
  accuracy: z.number().nullable(),
  chance: z.number().nullable(),
  gain: z.number(),
  ci: interval,
  /** Gain detected with power 80 %, at its share of alpha. */
  minimumDetectable: z.number(),
  status: z.enum(['pass', 'fail', 'declared', 'not-found']),
  declared: z.string().exactOptional(),
})
export type Test = z.infer<typeof testSchema>

/** A check that counts, without a statistical test. */
export interface Check {
  readonly name: string
  readonly status: 'pass' | 'fail'
  readonly checked: number
  readonly failed: number
  readonly message: string
}

/** The result of one of the task's `audits`. */
export interface AuditAnalysis extends Pick<Analysis, 'id' | 'title'> {
  readonly notes: readonly string[]
  readonly tables: readonly Table[]
}

/**
 * `nothing-found`: every deciding probe could detect the minimum effect, and none found anything. `inconclusive`: nothing
 * found, but some deciding probe cannot detect it. `declared`: a declared shortcut earns something. `not-testable`: more than
 * half of the items lie in blocks without different answers.
 */
export type AuditStatus = 'nothing-found' | 'inconclusive' | 'declared' | 'fail' | 'not-testable'

/** Deciding probes of one kind, and the gain of this kind that each could detect. */
export interface ProbeFamily {
  readonly family: string
  readonly probes: number
  readonly failed: number
  /** Detected by every probe of the family with power 80 %. */
  readonly minimumDetectable: number
}

/** A declared shortcut that was found, by its strongest probe. */
export interface DeclaredGain {
  readonly probe: string
  readonly why: string
  readonly gain: number
  /** Null for probes that make no guesses. */
  readonly accuracy: number | null
  readonly chance: number | null
}

/** Probes that cannot detect the minimum effect on this set. */
export interface Power {
  /** The minimum effect, with power 80 %. */
  readonly gain: number
  /** Deciding probes, and those that cannot detect it. */
  readonly probes: number
  readonly underpowered: number
  /** Approximate number of items with which all of them can; null: they can already. */
  readonly itemsNeeded: number | null
}

/** The result of an audit: status, tests and their power. */
export interface Audit {
  readonly schema: 'touchstone/audit/1'
  readonly dataset: { readonly root: string; readonly count: number; readonly groups: number }
  readonly style: string
  readonly alpha: number
  /** Number of deciding tests. */
  readonly testCount: number
  /** Fraction of items in blocks with different answers. */
  readonly informativeShare: number
  readonly minimumDetectable: number
  readonly power: Power
  readonly status: AuditStatus
  /** The verdict in sentences. */
  readonly verdict: readonly string[]
  readonly families: readonly ProbeFamily[]
  /** Declared shortcuts that were found, the strongest first. */
  readonly declaredGains: readonly DeclaredGain[]
  readonly notLookedAt: readonly string[]
  readonly tests: readonly Test[]
  readonly checks: readonly Check[]
  readonly analyses: readonly AuditAnalysis[]
  /** Groups whose answers a lookup table predicts best. */
  readonly worstGroups: readonly WorstGroups[]
  readonly notes: readonly string[]
}
