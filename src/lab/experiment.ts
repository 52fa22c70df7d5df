import type { Experiment } from '../runner/index.ts'

type Items = Experiment['items'][number]
type Until = NonNullable<Experiment['until']>
type Adapt = NonNullable<Experiment['adapt']>
type ModelEntry = Experiment['models'][number]

/** What an experiment may leave out has the defaults of an experiment file (docs/formats.md). */
export interface ExperimentInput {
  /** Of the run; left out: `run`. */
  readonly name?: string
  /** Of items, order and subsamples; left out: 0. */
  readonly seed?: string | number
  /** What is asked. */
  readonly items: readonly ItemsInput[]
  /** Who is asked: `provider:model`, or an entry with options. */
  readonly models?: readonly (string | ModelInput)[]
  /** The choices of a selection, instead of styles. */
  readonly selection?: Experiment['selection']
  readonly limits?: Partial<Experiment['limits']>
  /** Stop as soon as this is known: a rule, or a rule with its error and its looks. */
  readonly until?: string | (Pick<Until, 'rule'> & Partial<Until>) | undefined
  /** Ask next what tells most about where each model breaks along a knob: its name, or how it is gone along. */
  readonly adapt?: string | (Pick<Adapt, 'parameter'> & Partial<Adapt>) | undefined
}
/** Items of an experiment as one writes them: all but the task may be left out. */
export type ItemsInput = Pick<Items, 'task'> & Partial<Items>
/** A model of an experiment as one writes it: all but its name may be left out. */
export type ModelInput = Pick<ModelEntry, 'model'> & Partial<ModelEntry>
