import { createHash } from 'node:crypto'
import {
  correctnessChecker,
  type Detail,
  type Features,
  type Json,
  type Outcome,
  type Problem,
  type Request,
  type SolutionStep,
  type Task,
} from '../../core/index.ts'
import type { StoredResponse } from '../../store/index.ts'

/** A question as other tools take it, with its truth. */
export interface ExportQuestion {
  readonly item: string
  readonly task: string
  /** The name of the config in tables. */
  readonly config: string
  readonly style: string
  readonly group: string
  /** Equal for twins, and for an item in several styles or configs. */
  readonly draw: string
  readonly stratum: number
  readonly request: Request
  /** A response that scores 1; null where the task has none. */
  readonly gold: string | null
  /** Closed answers. */
  readonly choices: readonly string[] | null
  /** Those of the closed answers that score 1; none where there are no closed answers. */
  right(): readonly string[]
  readonly features: Features
  /** The worked solution; null where the task has none. */
  readonly solution: (() => readonly SolutionStep[]) | null
}

/** A question with what its task says of it. */
export function exportQuestion(
  task: Task,
  problem: Problem<Json, Json, Json>,
  facts: Omit<ExportQuestion, 'task' | 'gold' | 'choices' | 'right' | 'solution'>,
): ExportQuestion {
  const { shared, given } = problem
  const choices = task.choices?.({ shared, given }) ?? null
  return {
    ...facts,
    task: task.name,
    gold: task.gold?.(problem) ?? null,
    choices,
    right: () => (choices ?? []).filter((text) => correctnessChecker(task, problem)?.(text) === true),
    solution: task.solution === undefined ? null : () => task.solution?.(problem) ?? [],
  }
}

/** A question with what a model made of it. */
export interface ExportAnswer extends ExportQuestion {
  readonly model: string
  /** JSON with sorted keys. */
  readonly settings: string
  readonly sample: number
  /** null: there is none. */
  readonly response: Pick<StoredResponse, 'finish' | 'text' | 'reasoning' | 'usage'> | null
  readonly outcome: Outcome
  /** Milliseconds since 1970; null where unknown. */
  readonly started: number | null
  readonly ended: number | null
}

/** The name of a question where item ids are too long or hold characters that are not allowed: 32 letters and digits. */
export const keyOf = ({ item, style }: Pick<ExportQuestion, 'item' | 'style'>): string =>
  createHash('sha256').update(`touchstone/key/1\n${item}\n${style}`).digest('hex').slice(0, 32)

/** The question as one text. */
export const promptOf = (request: Request): string =>
  request.kind === 'chat' ? request.messages.map(({ content }) => content).join('\n\n') : request.context + request.text

/** Text files that an exporter writes, piece by piece. */
export interface Sink {
  append(path: string, text: string): Promise<void>
  /** Bytes as a whole file. */
  whole(path: string, bytes: Uint8Array): Promise<void>
}

/** What is exported: its name, and of a dataset what its manifest says. */
export interface About {
  readonly name: string
  readonly split: string
  /** Of this package. */
  readonly version: string
  readonly created: string
  /** As given by the user, where requests name a model. */
  readonly model: string
  readonly maxTokens: number
  /** Of worked solutions. */
  readonly detail: Detail
  /** Of experiments: most questions that a person is asked; null: as many as there are. */
  readonly perPerson: number | null
  /** Of experiments: a folder that holds the scripts; null: the network. */
  readonly scripts: string | null
}
