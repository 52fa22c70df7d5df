import type { JsonObject } from '../../../core/index.ts'
import type { Format } from '../format.ts'
import type { PlannedLanguage } from '../languages/make.ts'

export interface Plan extends JsonObject {
  readonly languages: readonly PlannedLanguage[]
}

/** One language in one repetition. Strings are tokens joined by single spaces. */
export interface Shared extends JsonObject {
  readonly language: string
  /** Canonical grammar text: what oracles and learners that know the language read. */
  readonly grammar: string
  readonly fenced: 'string' | 'grammar'
  readonly repetition: number
  /** As many as the largest k; a context is the first k of them. */
  readonly examples: readonly string[]
  /** The test side of the published split; empty otherwise. */
  readonly held: readonly string[]
  readonly format: Format
}

export interface Given extends JsonObject {
  readonly text: string
  readonly k: number
}

export interface EditStep extends JsonObject {
  readonly kind: 'substitute' | 'insert' | 'delete'
  readonly at: number
  /** Empty for a deletion. */
  readonly token: string
}

/** Segments [a, b) and [c, d) of a string, a < b <= c < d, that change places. */
export type Exchange = readonly [a: number, b: number, c: number, d: number]

/** A `twin` string has all k-gram counts of its source up to k = `order`, boundaries included. */
interface TwinOf extends JsonObject {
  readonly order: number
  readonly exchanges: readonly Exchange[]
}

/** What is true of a test string. */
export interface Truth extends JsonObject {
  readonly inside: boolean
  /** The string it was made from, or null for one of the language and for an unrelated one. */
  readonly source: string | null
  readonly edits: readonly EditStep[]
  readonly twin: TwinOf | null
}
