import { z } from 'zod'
import type { KnobLevel } from '../../stats/index.ts'
import type { Path, PathAnswer, PathEnd, Round } from './model-schedule.ts'
import type { Adapt } from './stop-rule.ts'

/** How one model was asked. */
export interface AdaptedModel {
  readonly model: string
  /** Every choice in its order. */
  readonly rounds: readonly Round[]
  /** null: it is not over. */
  readonly end: PathEnd | null
  /** Answers by value of the knob. */
  readonly levels: readonly KnobLevel[]
  /** By how much more than independent answers those of one group vary. */
  readonly design: number
}

/** An adaptive run: what was planned, what was chosen, what is known. */
export interface AdaptState extends Adapt {
  readonly models: readonly AdaptedModel[]
}

/** The choices of a run as the ledger holds them. */
export interface Choices {
  readonly models: readonly {
    readonly model: string
    readonly rounds: readonly Round[]
    /** null: it is not over; left out: not written down. */
    readonly end?: PathEnd | null
  }[]
}

/** Chooses what every model of a run is asked next; each has a path of its own. */
export class Pilot {
  private readonly adapt: Adapt
  private readonly paths: ReadonlyMap<string, Path>

  constructor(adapt: Adapt, paths: ReadonlyMap<string, Path>) {
    this.adapt = adapt
    this.paths = paths
  }

  begin(): void {
    for (const path of this.paths.values()) path.advance()
  }

  /** The ids of up to `n` items that are to be asked of a model now. */
  take(model: string, n: number): readonly string[] {
    return this.paths.get(model)?.take(n) ?? []
  }

  /** Is there something to ask of a model now? */
  waits(model: string): boolean {
    return (this.paths.get(model)?.waiting ?? 0) > 0
  }

  /** Is nothing more asked of a model? */
  over(model: string): boolean {
    const path = this.paths.get(model)
    return path === undefined || path.end !== null
  }

  /** Most items that a model is asked. */
  most(model: string): number {
    const path = this.paths.get(model)
    return path === undefined ? 0 : path.end === null ? path.most : path.chosen
  }

  /** Is nothing more asked of anybody? */
  get decided(): boolean {
    return [...this.paths.keys()].every((model) => this.over(model))
  }

  /** An item has ended. @returns whether something was chosen, or a path has ended. */
  ended(item: string, model: string, answer: PathAnswer): boolean {
    return this.paths.get(model)?.ended(item, answer) ?? false
  }

  get choices(): Choices {
    return { models: [...this.paths].map(([model, { rounds, end }]) => ({ model, rounds, end })) }
  }

  get state(): AdaptState {
    const models = [...this.paths].map(([model, path]): AdaptedModel => {
      const { levels, design } = path.curve()
      return { model, rounds: path.rounds, end: path.end, levels, design }
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
const round = z.object({
  at: z.number(),
  items: z.int().min(0),
  told: z.object({ answers: z.number(), threshold: threshold.nullable() }).nullable(),
})

/** The choices of an adaptive run, as the ledger holds them. */
export const choicesSchema: z.ZodType<Choices> = z.object({
  models: z.array(
    z.object({
      model: z.string(),
      rounds: z.array(round),
      end: z.enum(['known', 'most', 'exhausted']).nullable().exactOptional(),
    }),
  ),
})
