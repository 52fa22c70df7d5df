import type { Counts } from '../../store/index.ts'
import type { AdaptState } from '../adaptive/adaptive-plan.ts'
import type { Cause } from '../limits/circuit-breaker.ts'
import type { PlanProgress } from '../plan/plan.ts'
import type { Progress } from '../progress/progress.ts'
import type { UntilState } from '../sequential/sequential-test.ts'

export interface ExecuteOptions {
  /** No further calls go out; those under way end and are saved. */
  readonly stop?: AbortSignal
  /** Calls under way are aborted too; their cells go back to waiting. */
  readonly abort?: AbortSignal
  readonly onPlan?: (progress: PlanProgress) => void
  /** At most five times a second, and once at the end. */
  readonly onProgress?: (progress: Progress) => void
  /** Calls at once to one provider, instead of the experiment's. */
  readonly concurrency?: number
  /** Stop before more than this is spent, in US dollars, instead of the experiment's limit. */
  readonly usd?: number
  /** false: all calls go out at once, without one ahead of them. */
  readonly preflight?: boolean
  /** false: the run is planned, and nothing asked. */
  readonly ask?: boolean
  /** Seconds between two looks at a batch; left out: 30. */
  readonly poll?: number
  /** Seconds for which a provider may not show what is there, however often it is asked; left out: 60. For tests. */
  readonly settling?: number
  /** false: batches are sent off, and not waited for: `resume` collects them. */
  readonly wait?: boolean
  /** Ask nothing more: end the batches that are with providers, and collect what they have done. */
  readonly cancel?: boolean
  /**
   * Of batches whose names were lost on their way, what somebody says who looked for them at their provider: `KEY=NAME`, or `KEY=none` for one
   * that is not there. Asked for where a provider shows nothing by which they are known.
   */
  readonly lost?: readonly string[]
  /** Folder of answers that runs share: what was asked before is not asked again. Left out: none. */
  readonly cache?: string
  /** Nothing is asked of providers: only the cache answers, as if it were they. */
  readonly offline?: boolean
  /** For tests: a source of jitter. */
  readonly random?: () => number
}

export interface ExecuteResult {
  /**
   * `planned`: nothing was to be asked. `submitted`: batches are with their providers, and nothing else is left to do.
   * `decided`: the run knows what it was to find out, or an adaptive one has asked of every model what it would.
   */
  readonly status: 'done' | 'interrupted' | 'budget' | 'stopped' | 'submitted' | 'planned' | 'decided'
  /** What the looks of the run's rule saw, and what is known; absent where it has none. */
  readonly until?: UntilState
  /** What an adaptive run chose, and what is known of each model; absent for others. */
  readonly adapt?: AdaptState
  /** Why nothing more was asked of a model. */
  readonly stopped: { readonly [model: string]: Cause }
  readonly counts: Counts
  /** Settings that a model's route ignored. */
  readonly ignored: { readonly [model: string]: readonly string[] }
  /** US dollars booked for all attempts of the run. */
  readonly usd: number
  /** In words: what providers said of their use that cannot be true, and what is booked for it; what could not be kept beside the run. */
  readonly doubts: readonly string[]
}
