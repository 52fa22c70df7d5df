import type { Json } from './json.ts'

/** A parser's reading of one response. Spans are offsets into the stored text. */
export type ParserResult =
  | {
      readonly kind: 'graded'
      /** 0..1 */
      readonly value: number
      readonly answer: Json
      readonly rule: string
      readonly span: readonly [start: number, end: number]
      readonly parts?: { readonly [name: string]: number }
    }
  | { readonly kind: 'unparsed'; readonly reason: string }

/** How the model stopped: a fact about the response, never instead of a verdict. */
export type FinishReason = 'stop' | 'truncated' | 'refused' | 'unknown'

/** What became of one response: the verdict of each parser, measured numbers, or a failure. */
export type Outcome =
  | {
      readonly kind: 'answered'
      readonly finish: FinishReason
      readonly results: { readonly [parser: string]: ParserResult }
    }
  | { readonly kind: 'measured'; readonly values: { readonly [name: string]: number } }
  | {
      readonly kind: 'error'
      readonly source: 'provider' | 'task' | 'runner'
      readonly code: string
      readonly message: string
    }

export type CallStatus = 'error' | 'refused' | 'truncated' | 'unparsed' | 'graded' | 'loglikelihood'

/** The status shown in tables, in the order of precedence error, refused, truncated, unparsed, graded. */
export function statusOf(outcome: Outcome, parser: string): CallStatus {
  switch (outcome.kind) {
    case 'error':
      return 'error'
    case 'measured':
      return 'loglikelihood'
    case 'answered': {
      if (outcome.finish === 'refused') return 'refused'
      if (outcome.finish === 'truncated') return 'truncated'
      return outcome.results[parser]?.kind ?? 'unparsed'
    }
  }
}
