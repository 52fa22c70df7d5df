import type { Json } from './json.ts'
import type { FinishReason } from './outcome.ts'
import type { Message } from './request.ts'
import type { Features } from './task.ts'

/** A text file of an export. */
export interface ExportedFile {
  /** Relative path, with `/`. */
  readonly path: string
  readonly text: string
}

/** A task's own export format, such as training sets: `export TASK --to NAME`. */
export interface Exporter<C, P> {
  readonly describe: string
  /** Whose plan the files are made from. */
  readonly split: string
  files(config: C, plan: P): Iterable<ExportedFile>
}

/** An item of a run. */
export interface RunItem {
  readonly id: string
  readonly group: string
  readonly shared: Json
  readonly given: Json
  readonly answer: Json
  readonly features: Features
}

/** One response of a model to an item. */
export interface RunResponse {
  /** Item id. */
  readonly item: string
  readonly model: string
  readonly style: string
  readonly messages: readonly Message[]
  /** null: no response. */
  readonly text: string | null
  readonly finish: FinishReason
  readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number; readonly reasoningTokens?: number }
}

/** A run as an exporter sees it: items first, then responses, both in the order of the run. */
export interface RunContent {
  items(): AsyncIterable<RunItem>
  responses(): AsyncIterable<RunResponse>
}

/** A task's own export format of a run, such as that of its published release: `export RUN --to NAME`. */
export interface RunExporter {
  readonly describe: string
  /** Yields a path several times to write its text in chunks. @throws UsageError if the format cannot hold the run. */
  files(content: RunContent): AsyncIterable<ExportedFile>
}
