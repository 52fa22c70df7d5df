import type { ModelReply } from '../../models/index.ts'
import type { WorkRun } from '../folder/run.ts'
import type { Budget } from '../money/cost.ts'
import type { ProgressMeter } from '../progress/progress.ts'

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
