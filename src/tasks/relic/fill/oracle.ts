import type { Question } from '../../../core/index.ts'
import type { Shared } from '../grammars/grammar.ts'
import { parserOf } from '../grammars/text-parser.ts'
import type { Answer, Given } from './draw.ts'

/** Does the string agree with the template, and does Earley's algorithm accept it? */
export function oracle({ shared, given }: Question<Shared, Given>, answer: Answer): boolean {
  const places = given.template.split(' ')
  return (
    answer.length === places.length &&
    places.every((place, at) => place === '_' || place === answer[at]) &&
    parserOf(shared).accepts(answer)
  )
}
