import { z } from 'zod'
import type { Adapt, AdaptedModel, AdaptiveStep, AdaptState, EndReason } from '../../runner/plan/rules.ts'
import type { ItemAnswer, ModelSchedule } from './model-schedule.ts'

/** The steps of an adaptive run as the ledger stores them. */
export interface AdaptiveSteps {
  readonly models: readonly {
    readonly model: string
    readonly steps: readonly AdaptiveStep[]
    /** null: not ended; absent: not saved. */
    readonly end?: EndReason | null
  }[]
}

/** Chooses the next items of every model of a run; each model has its own schedule. */
export class AdaptivePlan {
  private readonly adapt: Adapt
  private readonly schedules: ReadonlyMap<string, ModelSchedule>

  constructor(adapt: Adapt, schedules: ReadonlyMap<string, ModelSchedule>) {
    this.adapt = adapt
    this.schedules = schedules
  }

  begin(): void {
    for (const path of this.schedules.values()) path.advance()
  }

  /** Ids of up to `n` items that a model is called on now. */
  take(model: string, n: number): readonly string[] {
    return this.schedules.get(model)?.take(n) ?? []
  }

  /** Is there an item to call a model on now? */
  hasWork(model: string): boolean {
    return (this.schedules.get(model)?.waiting ?? 0) > 0
  }

  /** Is a model called no more? */
  isOver(model: string): boolean {
    const path = this.schedules.get(model)
    return path === undefined || path.end !== null
  }

  /** Most items of a model. */
  maxItems(model: string): number {
    const path = this.schedules.get(model)
    return path === undefined ? 0 : path.end === null ? path.maxItems : path.chosen
  }

  /** Is no model called any more? */
  get allOver(): boolean {
    return [...this.schedules.keys()].every((model) => this.isOver(model))
  }

  /** A call has ended. @returns whether a step was chosen, or a schedule has ended */
  addAnswer(item: string, model: string, answer: ItemAnswer): boolean {
    return this.schedules.get(model)?.addAnswer(item, answer) ?? false
  }

  get steps(): AdaptiveSteps {
    return { models: [...this.schedules].map(([model, { steps, end }]) => ({ model, steps, end })) }
  }

  get state(): AdaptState {
    const models = [...this.schedules].map(([model, path]): AdaptedModel => {
      const { levels, design } = path.curve()
      return { model, steps: path.steps, end: path.end, levels, design }
    })
    return { ...this.adapt, models }
  }
}

const threshold = z.union([
  z.object({
    kind: z.literal('inside'),
    value: z.number(),
    low: z.number(),
    high: z.number(),
    open: z.enum(['neither', 'low', 'high', 'both']),
  }),
  z.object({ kind: z.literal('outside'), solved: z.enum(['more', 'less']) }),
])
const step = z.object({
  at: z.number(),
  items: z.int().min(0),
  estimate: z.object({ answers: z.number(), threshold: threshold.nullable() }).nullable(),
})

/** The steps of an adaptive run, as the ledger stores them. */
export const stepsSchema: z.ZodType<AdaptiveSteps> = z.object({
  models: z.array(
    z.object({
      model: z.string(),
      steps: z.array(step),
      end: z.enum(['known', 'most', 'exhausted']).nullable().exactOptional(),
    }),
  ),
})
