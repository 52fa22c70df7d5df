import { z } from 'zod'
import type { Analysis, Table } from '../../core/index.ts'
import type { WorstGroups } from './locality/worst-groups.ts'

/** `audit.json` (docs/audit.md#verdict). */

const interval = z.tuple([z.number(), z.number()])

export const testSchema = z.strictObject({
  probe: z.string(),
  kind: z.enum(['feature', 'heuristic', 'learned', 'groups', 'baseline']),
  mode: z.enum(['all', 'across', 'within']),
  n: z.int(),
  z: z.number(),
  p: z.number(),
  pAdjusted: z.number(),
  method: z.enum(['normal', 'permutation', 't', 'binomial']),
  accuracy: z.number().nullable(),
  chance: z.number().nullable(),
  gain: z.number(),
  ci: interval,
  /** The gain it would have found with power .8, at its share of alpha. */
  minimumDetectable: z.number(),
  status: z.enum(['pass', 'fail', 'declared', 'not-found', 'informational']),
  declared: z.string().exactOptional(),
})
export type Test = z.infer<typeof testSchema>

export interface Balance {
  readonly factor: string
  readonly level: string
  readonly label: string
  readonly count: number
  readonly expected: number
}

/** One of the checks that do not test but count. */
export interface Check {
  readonly name: string
  readonly status: 'pass' | 'fail'
  readonly checked: number
  readonly failed: number
  readonly message: string
}

/** What one of the task's own `audits` found. */
export interface AuditAnalysis extends Pick<Analysis, 'id' | 'title'> {
  readonly notes: readonly string[]
  readonly tables: readonly Table[]
}

/**
 * `inconclusive`: nothing was found, but some probe that decides would have missed the gain that a pass must be able to
 * see. `untestable`: more than half of the items lie in blocks that can tell nothing.
 */
export type AuditStatus = 'pass' | 'inconclusive' | 'fail' | 'not-testable'

/** What the set is too small to see. */
export interface Power {
  /** Gain that a pass must have been able to see, with power .8. */
  readonly gain: number
  /** Probes that decide, and those of them that would have missed it. */
  readonly probes: number
  readonly underpowered: number
  /** About as many items of this kind let all of them see it; null: they do already. */
  readonly itemsNeeded: number | null
}

/** What an audit found: its status, the tests behind it and what they could have seen. */
export interface Audit {
  readonly schema: 'touchstone/audit/1'
  readonly dataset: { readonly root: string; readonly count: number; readonly groups: number }
  readonly style: string
  readonly alpha: number
  /** Tests in the deciding family. */
  readonly testCount: number
  /** Share of items in blocks that can tell anything. */
  readonly informativeShare: number
  readonly minimumDetectable: number
  readonly power: Power
  readonly bound: { readonly probe: string; readonly gain: number; readonly upper: number } | null
  readonly maxGain: { readonly bound: number; readonly met: boolean; readonly itemsNeeded: number | null } | null
  readonly status: AuditStatus
  readonly tests: readonly Test[]
  readonly checks: readonly Check[]
  readonly balance: readonly Balance[]
  readonly analyses: readonly AuditAnalysis[]
  /** The groups that tables of their own tell best, beside what permuted answers show. */
  readonly worstGroups: readonly WorstGroups[]
  readonly notes: readonly string[]
}
