import { kneserNey, ppm } from './back-off.ts'
import { ContextTreeWeighting } from './ctw.ts'
import { type SequenceLearner, uniform } from './learner.ts'
import { LongestMatch } from './longest-match.ts'
import { Markov } from './markov.ts'
import { mixture } from './mixture.ts'

const plain: { readonly [name: string]: (size: number) => SequenceLearner } = {
  uniform,
  unigram: (size) => new Markov(size, 0),
  ppm: (size) => ppm(size),
  ctw: (size) => new ContextTreeWeighting(size),
  match: (size) => new LongestMatch(size),
  mixture,
}
const withOrder: { readonly [name: string]: (size: number, order: number) => SequenceLearner } = {
  markov: (size, order) => new Markov(size, order),
  'kneser-ney': kneserNey,
}

/** A maker of learners by name (`ppm`, `markov:3`; orders are 1..12), or null for a name it does not know. */
export function makeLearner(name: string): ((size: number) => SequenceLearner) | null {
  const found = plain[name]
  if (found !== undefined && Object.hasOwn(plain, name)) return found
  const [family = '', order = ''] = name.split(':')
  const make = Object.hasOwn(withOrder, family) ? withOrder[family] : undefined
  if (make === undefined || !/^(?:[1-9]|1[0-2])$/u.test(order) || name !== `${family}:${order}`) return null
  return (size) => make(size, Number(order))
}
