import type { Json, Parser } from '../../../core/index.ts'
import { unlessDenied } from '../../../language/around.ts'
import type { CascadeAnswer, Examples } from '../types.ts'
import { lenientAnswer, strictAnswer } from './ours.ts'
import { publishedAnswer } from './published.ts'

type CascadeParser = Parser<Json, Examples, CascadeAnswer>

/** How responses that should hold a cascade are read; shared by all tasks that ask for one. */
export const cascadeParsers: {
  readonly strict: CascadeParser
  readonly lenient: CascadeParser
  readonly [name: string]: CascadeParser
} = {
  strict: (text) => unlessDenied(text, strictAnswer(text)),
  lenient: (text, { given }) => unlessDenied(text, lenientAnswer(text, given)),
  published: (text) => publishedAnswer(text, 'last'),
  'published-first': (text) => publishedAnswer(text, 'first'),
}
