import type { ImportedItem } from './importer.ts'
import type { Json } from './json.ts'
import type { FinishReason } from './outcome.ts'
import type { Features, Problem } from './task.ts'

/** A response of a run with what it answers, as those who make a question of it get it. */
export interface JudgedResponse {
  readonly problem: Problem<Json, Json, Json>
  /** Of the item that was answered. */
  readonly features: Features
  /** Who answered, with settings and style where the run has several. */
  readonly judgedModel: string
  readonly finish: FinishReason
  /** Reasoning that a provider kept apart, then the response. */
  readonly text: string
  /** Of the strict parser, 0..1; null: it read none. */
  readonly value: number | null
}

/** What a judge is asked about a response. */
export interface JudgeItem extends Pick<ImportedItem, 'given' | 'answer' | 'features'> {
  readonly shared: Json
}
