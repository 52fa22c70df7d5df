import { type Json, type Outcome, type Task, UsageError } from '../core/index.ts'
import type { Model, ModelFacts } from '../models/index.ts'
import type { LeasedCall } from '../store/index.ts'
import type { Run, WorkRun } from './folder/run.ts'
import type { StopCause } from './limits/circuit-breaker.ts'
import type { Experiment, ItemsEntry } from './plan/experiment.ts'
import type { ResolvedExperiment, RunModel, TaskLookup } from './plan/resolve.ts'
import type { ExecuteOptions, ExecuteResult, RunServices } from './schedule/execute-options.ts'
import type { ModelQueue } from './schedule/model-queue.ts'

/**
 * What a run may ask for beyond making every planned call once: batches of a provider, a stopping rule, adaptive
 * sampling, a cache. The path of an ordinary call knows none of them: `RunContext.extensions` lists those that are
 * installed, and each acts through the hooks below.
 */
export interface RunExtension {
  /** What asks for it: a key of the experiment, of a model of it, or an option of the command. */
  readonly key: 'until' | 'adapt' | 'batch' | 'cache'
  /** Values of a parameter that the experiment leaves open: each becomes a source of at most `maxItems` items. */
  sweep?(
    experiment: Pick<Experiment, 'adapt'>,
    entry: ItemsEntry,
    task: Task,
  ): { readonly parameter: string; readonly values: readonly Json[]; readonly maxItems: number } | null
  /** @throws UsageError for an experiment that it cannot run. */
  check?(experiment: ResolvedExperiment, tasks: TaskLookup): void
  /** @throws UsageError for a model that it cannot call. */
  checkModel?(spec: RunModel, model: Model): void
  /** Stored responses that stand in for calls; null: this command uses none. @throws UsageError, StoreError */
  openRecording?(run: Run, options: ExecuteOptions): Promise<Recording | null>
  /**
   * Prepares it for a command, once: a worker executes a run several times. null: this run does not ask for it.
   *
   * @param folder - null for a worker on a shared store.
   */
  open?(run: WorkRun, options: ExecuteOptions, folder: Run | null): Promise<StartExtension | null>
}

/** Starts a prepared extension for one execution; null: it has nothing to do in it. */
export type StartExtension = (work: WorkInProgress) => ActiveExtension | null

/** Responses that were stored before. */
export interface Recording {
  /** Is every call answered from it, and no provider called? */
  readonly offline: boolean
  /** A model that looks there first, and stores what is new. */
  wrap(model: Model, spec: RunModel): Model
  /** A model of which only stored responses exist: it needs no key and no network. */
  replace(spec: RunModel, facts: ModelFacts): Model
  warnings(): readonly string[]
}

/** What an active extension sees of an execution, and how it acts on it. */
export interface WorkInProgress {
  readonly services: RunServices
  readonly models: readonly { readonly model: Model; readonly spec: RunModel }[]
  /** Who leases calls, and for how many ms. */
  readonly owner: string
  readonly leaseMs: number
  readonly options: ExecuteOptions
  /** Aborted when an error ends the execution. */
  readonly halted: AbortSignal
  /** Ends the execution: enough is known. */
  stop(why: 'stopped-early'): void
  /** Ends the execution with an error. */
  fail(error: unknown): void
}

/** An extension at work in one execution. Every hook has a default that changes nothing. */
export class ActiveExtension {
  /** Names of the models that it calls itself: they get no queue. */
  get models(): ReadonlySet<string> {
    return new Set()
  }

  /** Does it compare models while they are called? Then a local server changes over between them in blocks. */
  get comparesModels(): boolean {
    return false
  }

  /** Before the first call. */
  begin(_queues: readonly ModelQueue[]): void {}

  /** Beside the calls, until it resolves. */
  work(): Promise<void> {
    return Promise.resolve()
  }

  /** Leases the next calls of a model instead of those of the lowest priority; null: it does not choose. */
  lease(_model: string, _n: number): Promise<readonly LeasedCall[]> | null {
    return null
  }

  /** false: the next calls of a model depend on calls in flight. */
  hasWork(_model: string): boolean {
    return true
  }

  /** Most calls of a model; null: all that are planned. */
  maxCalls(_model: string): number | null {
    return null
  }

  /** Must a model wait for a slower one? */
  holdsBack(_queue: ModelQueue, _queues: readonly ModelQueue[]): boolean {
    return false
  }

  /** A call has ended; `outcome` null: without a response. */
  callEnded(_queue: ModelQueue, _call: LeasedCall, _outcome: Outcome | null, _usd: number | null): void {}

  /** After the last call. */
  end(): Promise<void> {
    return Promise.resolve()
  }

  /** Why models that it calls itself are called no more. */
  get stopped(): readonly (readonly [model: string, StopCause])[] {
    return []
  }

  /** How the execution ended for it, if not simply `done`. */
  get endings(): readonly Extract<ExecuteResult['status'], 'stopped-early' | 'cost-limit' | 'batches-pending'>[] {
    return []
  }

  /** What it adds to the result. */
  get result(): Pick<ExecuteResult, 'until' | 'adapt'> {
    return {}
  }
}

/** @throws UsageError where a run asks for an extension that is not installed. */
export function requireExtensions(
  { until, adapt, models }: Pick<ResolvedExperiment, 'until' | 'adapt' | 'models'>,
  installed: readonly RunExtension[],
): void {
  const keys = [
    ...(until === undefined ? [] : ['until']),
    ...(adapt === undefined ? [] : ['adapt']),
    ...(models.some(({ batch }) => batch !== undefined) ? ['batch'] : []),
  ]
  const missing = keys.find((key) => !installed.some((extension) => extension.key === key))
  if (missing !== undefined)
    throw new UsageError(`the run needs the extension "${missing}", which is not among the extensions of its context`)
}
