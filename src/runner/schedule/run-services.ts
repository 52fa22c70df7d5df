import type { WorkRun } from '../folder/run.ts'
import type { Budget } from '../money/cost.ts'
import type { ProgressMeter } from '../progress/progress.ts'

/** Each is told once; a server that lies in new words each time is told of so often. */
const SHOWN_DOUBTS = 10

/** What providers said that a user should hear of. */
export class Notes {
  private readonly ignored = new Map<string, Set<string>>()
  private readonly doubts = new Set<string>()

  /** Settings that a model's route ignored. */
  ignores(model: string, names: readonly string[]): void {
    if (names.length === 0) return
    this.ignored.set(model, new Set([...(this.ignored.get(model) ?? []), ...names]))
  }

  /** What is not as it should be, in words. */
  doubt(words: string): void {
    this.doubts.add(words)
  }

  /** A response that a provider's filter refused. */
  refusal(model: string, why: string | undefined): void {
    if (why !== undefined) this.doubt(`${model} refused: ${why}`)
  }

  get ignoredSettings(): { readonly [model: string]: readonly string[] } {
    return Object.fromEntries([...this.ignored].map(([model, names]) => [model, [...names].sort()]))
  }

  get told(): readonly string[] {
    return [...this.doubts].slice(0, SHOWN_DOUBTS)
  }
}

/** What live calls and batches of one process share. */
export interface Desk {
  readonly run: WorkRun
  readonly budget: Budget
  readonly meter: ProgressMeter
  readonly notes: Notes
}

/** Is there a limit in dollars, here or in the store that workers share? */
export const isLimited = ({ run, budget }: Pick<Desk, 'run' | 'budget'>): boolean =>
  budget.ceiling !== null || run.ledger.reserve !== undefined
