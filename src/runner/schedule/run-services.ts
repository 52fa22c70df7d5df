import type { WorkRun } from '../folder/run.ts'
import type { Budget } from '../money/cost.ts'
import type { ProgressMeter } from '../progress/progress.ts'

/** Warnings that are shown: a server may send a new one with every response. */
const MAX_SHOWN = 10

/** What a user should know about providers. */
export class Warnings {
  private readonly ignored = new Map<string, Set<string>>()
  private readonly messages = new Set<string>()

  /** Settings that a model's route ignored. */
  ignores(model: string, names: readonly string[]): void {
    if (names.length === 0) return
    this.ignored.set(model, new Set([...(this.ignored.get(model) ?? []), ...names]))
  }

  /** Something odd that did not stop the run. */
  warn(words: string): void {
    this.messages.add(words)
  }

  /** A response that the provider's filter refused. */
  refusal(model: string, why: string | undefined): void {
    if (why !== undefined) this.warn(`${model} refused: ${why}`)
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
