import type { ModelReply } from '../../models/index.ts'
import type { Counts, Ledger } from '../../store/index.ts'
import type { StartExtension } from '../extensions.ts'
import type { WorkRun } from '../folder/run.ts'
import type { StoppedModels } from '../limits/circuit-breaker.ts'
import type { Budget } from '../money/cost.ts'
import type { AdaptState, UntilState } from '../plan/experiment.ts'
import type { PlanProgress } from '../plan/plan.ts'
import type { Progress, ProgressMeter } from '../progress/progress.ts'

export interface ExecuteOptions {
  /** No further calls are sent; those in flight end and are saved. */
  readonly stop?: AbortSignal
  /** Calls in flight are aborted, too, and wait again. */
  readonly abort?: AbortSignal
  readonly onPlan?: (progress: PlanProgress) => void
  /** At most five times per second, and once at the end. */
  readonly onProgress?: (progress: Progress) => void
  /** Most concurrent calls per provider, instead of the experiment's. */
  readonly concurrency?: number
  /** Cost limit in US dollars, instead of the experiment's. */
  readonly maxUsd?: number
  /** false: no canary call before the others. */
  readonly canary?: boolean
  /** The run is planned, and no model called. */
  readonly planOnly?: boolean
  /** Seconds between two polls of a batch. Default: 30. */
  readonly poll?: number
  /** Seconds within which a provider may not yet show a batch, however often it is polled. Default: 60. For tests. */
  readonly settling?: number
  /** false: batches are submitted and not waited for: `resume` collects them. */
  readonly wait?: boolean
  /** Submits nothing more: cancels open batches, and collects what they have done. */
  readonly cancelBatches?: boolean
  /**
   * Ids of batches that were lost, as a person looked them up at the provider: `KEY=ID`, or `KEY=none` for a batch that is not
   * there. Needed if a provider shows nothing that identifies them.
   */
  readonly batchIds?: readonly string[]
  /** Folder of responses that runs share: equal calls are made once. Default: none. */
  readonly cache?: string
  /** No provider is called: all responses come from the cache. */
  readonly offline?: boolean
  /** For tests: a source of jitter. */
  readonly random?: () => number
}

export interface ExecuteResult {
  /**
   * `completed`: every call is done. `models-stopped`: a model failed too often, its other calls are pending.
   * `batches-pending`: providers are processing batches, and nothing else is left to do. `planned`: no model was to be called.
   * `stopped-early`: the stopping rule is satisfied, or an adaptive run has made all its steps.
   */
  readonly status:
    | 'completed'
    | 'interrupted'
    | 'cost-limit'
    | 'models-stopped'
    | 'batches-pending'
    | 'planned'
    | 'stopped-early'
  /** Interim analyses and verdict of the stopping rule; absent without one. */
  readonly until?: UntilState
  /** Steps and estimates of an adaptive run; absent for others. */
  readonly adapt?: AdaptState
  /** Why models are called no more. */
  readonly stoppedModels: StoppedModels
  readonly counts: Counts
  /** Settings that a model's provider ignored. */
  readonly ignoredSettings: { readonly [model: string]: readonly string[] }
  /** US dollars booked for all attempts of the run. */
  readonly costUsd: number
  /** In words: what providers said of their use that cannot be true, and what is booked for it; what could not be kept beside the run. */
  readonly warnings: readonly string[]
}

/** For whom and within which limits a run is executed. */
export interface ExecutionContext {
  /** Name of the owner of leases. */
  readonly owner: string
  readonly leaseMs: number
  /** US dollars; null: no limit, or the store keeps to it. */
  readonly costLimit: number | null
  /** US dollars that earlier processes booked. */
  readonly booked: number
  /** What earlier processes booked and scored; null: other workers' results are not read. */
  readonly earlier: Pick<Ledger, 'bookedUsdByModel' | 'latestOutcomes'> | null
  readonly extensions: readonly StartExtension[]
  /** Writes down now and then how far the run is. */
  recordProgress(): Promise<void>
  /** Frees the disk space that was reserved for saving what is in flight. */
  release(): Promise<void>
}

type Answer = Extract<ModelReply, { readonly kind: 'answer' }>

/** Warnings that are shown: a server may send a new one with every response. */
const MAX_SHOWN = 10

/** What a user should know about providers. */
export class Warnings {
  private readonly ignored = new Map<string, Set<string>>()
  private readonly messages = new Set<string>()

  /** What a response says of its server: ignored settings, a filter that refused, an answer that it took for a thought. */
  response(model: string, { ignored, refusal, text, reasoning, finish }: Answer): void {
    if (ignored.length > 0) this.ignored.set(model, new Set([...(this.ignored.get(model) ?? []), ...ignored]))
    if (refusal !== undefined) this.warn(`${model} refused: ${refusal}`)
    if (text.trim() === '' && (reasoning ?? '').trim() !== '' && finish === 'stop')
      this.warn(
        `${model} ended normally with reasoning and no text: its server may take answers for reasoning. Check the server's reasoning parser; such responses are unparsed`,
      )
  }

  /** Something odd that did not stop the run. */
  warn(words: string): void {
    this.messages.add(words)
  }

  get ignoredSettings(): { readonly [model: string]: readonly string[] } {
    return Object.fromEntries([...this.ignored].map(([model, names]) => [model, [...names].sort()]))
  }

  get list(): readonly string[] {
    return [...this.messages].slice(0, MAX_SHOWN)
  }
}

/** What all calls of one process share. */
export interface RunServices {
  readonly run: WorkRun
  readonly budget: Budget
  readonly meter: ProgressMeter
  readonly warnings: Warnings
}

/** Is there a cost limit, here or in the store that workers share? */
export const hasCostLimit = ({ run, budget }: Pick<RunServices, 'run' | 'budget'>): boolean =>
  budget.limit !== null || run.ledger.isShared
