import type { JsonObject } from '../../../core/index.ts'
import type { Format } from '../format.ts'
import type { PlannedLanguage } from '../languages/make.ts'

export interface Plan extends JsonObject {
  readonly languages: readonly PlannedLanguage[]
  readonly testKey?: string
}

/** One language in one repetition. Strings are tokens joined by single spaces. */
export interface Shared extends JsonObject {
  readonly language: string
  /** Canonical grammar text: what oracles and learners that know the language read. */
  readonly grammar: string
  readonly fenced: 'string' | 'grammar'
  readonly repetition: number
  /** Grammar text of the language of the examples and training sets, where it is another. */
  readonly learnt?: string
  /** As many as the largest k, and as the `seen` strings; a context is the first k of them. */
  readonly examples: readonly string[]
  /** Times that the examples stand in the context; left out: once. */
  readonly repeats?: number
  /** The test side of the published split; empty otherwise. */
  readonly held: readonly string[]
  /** Key of the test strings, where all repetitions share them. */
  readonly testKey?: string
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

/** A rule of the grammar, by its number, with another right-hand side: symbols as in the text form. */
export interface RuleChange extends JsonObject {
  readonly rule: number
  readonly right: string
}

/** What is true of a test string. */
export interface Truth extends JsonObject {
  readonly inside: boolean
  /** The string it was made from, or null for one of the language, of a changed grammar, and for an unrelated one. */
  readonly source: string | null
  readonly edits: readonly EditStep[]
  /** Exact distance to the source; null: no edits. */
  readonly apart: number | null
  readonly twin: TwinOf | null
  /** The changed rule of the grammar that the string is from. */
  readonly changed: RuleChange | null
  /** Place in the list of examples, from 1, of a string that a model has read after as many; null: of no list. */
  readonly seen: number | null
}
