import type { ImportedItem } from './importer.ts'
import type { Json } from './json.ts'
import type { FinishReason } from './outcome.ts'
import type { Features, Problem } from './task.ts'

/** A response of a run with its question. */
export interface JudgedResponse {
  readonly problem: Problem<Json, Json, Json>
  /** Features of the item. */
  readonly features: Features
  /** The judged model, with settings and style if the run has several. */
  readonly judgedModel: string
  readonly finish: FinishReason
  /** Separately returned reasoning, then the response. */
  readonly text: string
  /** Score under the strict parser, 0..1; null: unparsed. */
  readonly value: number | null
}

/** A judge's question about a response. */
export interface JudgeItem extends Pick<ImportedItem, 'given' | 'answer' | 'features'> {
  readonly shared: Json
}
