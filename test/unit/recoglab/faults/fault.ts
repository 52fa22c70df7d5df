import type { Json, JsonObject, Task } from '../../../../src/core/index.ts'

/** Faults reach into the JSON of four tasks, whatever its shape. */
export type Any = ReturnType<typeof JSON.parse>

/** What is stored of an item: the question asked and the answer held to be right. */
export interface Stored {
  readonly given: Any
  readonly answer: Any
}

/**
 * A slip in the generator: it stores another question or another answer than it should; null where the slip does not
 * touch an item.
 */
export type GeneratorFault = (stored: Stored) => Stored | null
/** A slip in the oracle: its verdict on an answer; null for questions it decides as it should. */
export type OracleFault = (given: Any, answer: Any) => boolean | null

export interface Faults {
  readonly task: Task
  /** Kinds of questions; 2,000 items in all. */
  readonly configs: readonly JsonObject[]
  /** Answers that are not right, for oracles that accept too much. */
  readonly wrong: (stored: Stored, choices: readonly Json[]) => readonly Json[]
  readonly generator: { readonly [name: string]: GeneratorFault }
  readonly oracle: { readonly [name: string]: OracleFault }
  /** Faults that no check can see, with the reason. */
  readonly survivors: { readonly [name: string]: string }
}

/** A generator that asks something else. */
export const asking =
  (edit: (given: Any) => Any): GeneratorFault =>
  ({ given, answer }) => {
    const edited = edit(given)
    return edited === null ? null : { given: edited, answer }
  }

/** A generator that holds something else to be right. */
export const answering =
  (edit: (answer: Any, given: Any) => Any): GeneratorFault =>
  ({ given, answer }) => {
    const edited = edit(answer, given)
    return edited === null ? null : { given, answer: edited }
  }

/** An oracle that finds one answer and compares. */
export const finding =
  (solve: (given: Any) => Any): OracleFault =>
  (given, answer) => {
    const found = solve(given)
    return found === null ? null : JSON.stringify(found) === JSON.stringify(answer)
  }

export const without = (list: Any[], i: number): Any[] => list.filter((_, j) => j !== (i + list.length) % list.length)
export const turned = ([u, v]: Any): Any => [v, u]
