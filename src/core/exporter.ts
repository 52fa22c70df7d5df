import type { Json } from './json.ts'
import type { FinishReason } from './outcome.ts'
import type { Message } from './request.ts'
import type { Features } from './task.ts'

/** A text file that a task makes for use elsewhere. */
export interface ExportedFile {
  /** Relative, with `/`. */
  readonly path: string
  readonly text: string
}

/** A task's content in a form of its own, such as training sets: what `export TASK --to NAME` writes. */
export interface Exporter<C, P> {
  readonly describe: string
  /** Whose plan the files are made from. */
  readonly split: string
  files(config: C, plan: P): Iterable<ExportedFile>
}

/** An item that a run holds. */
export interface RunItem {
  readonly id: string
  readonly group: string
  readonly shared: Json
  readonly given: Json
  readonly answer: Json
  readonly features: Features
}

/** What came of asking a model one item once. */
export interface RunResponse {
  /** The id of the item. */
  readonly item: string
  readonly model: string
  readonly style: string
  readonly messages: readonly Message[]
  /** null: nothing came. */
  readonly text: string | null
  readonly finish: FinishReason
  readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number; readonly reasoningTokens?: number }
}

/** A run as those see it who write it in a form of their own: items first, both in the order of the run. */
export interface RunContent {
  items(): AsyncIterable<RunItem>
  responses(): AsyncIterable<RunResponse>
}

/** A run in a form of a task's own, such as that of its published release: what `export RUN --to NAME` writes. */
export interface RunExporter {
  readonly describe: string
  /** Of one path several times: its text piece by piece. @throws UsageError for a run that the form has no place for. */
  files(content: RunContent): AsyncIterable<ExportedFile>
}
