import { isMember, readString } from '../grammars/text-earley.ts'
import type { FillQuestion } from './prompt.ts'

/** Does the string agree with the template, and does Earley's algorithm accept it? */
export function oracle({ shared, given }: FillQuestion, answer: readonly string[]): boolean {
  const places = given.template.split(' ')
  return (
    answer.length === places.length &&
    places.every((place, at) => place === '_' || place === answer[at]) &&
    isMember(readString(shared, answer))
  )
}
