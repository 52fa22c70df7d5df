import type { Json, Parser } from '../../../core/index.ts'
import { unlessNegated } from '../../../libraries/language/negation-context.ts'
import type { CascadeAnswer, Examples } from '../types.ts'
import { publishedAnswer } from './published.ts'
import { lenientAnswer, strictAnswer } from './strict.ts'

type CascadeParser = Parser<Json, Examples, CascadeAnswer>

/** How responses that should hold a cascade are read; shared by all tasks that ask for one. */
export const cascadeParsers: {
  readonly strict: CascadeParser
  readonly lenient: CascadeParser
  readonly [name: string]: CascadeParser
} = {
  strict: (text) => unlessNegated(text, strictAnswer(text)),
  lenient: (text, { given }) => unlessNegated(text, lenientAnswer(text, given)),
  published: (text) => publishedAnswer(text, 'last'),
  'published-first': (text) => publishedAnswer(text, 'first'),
}
