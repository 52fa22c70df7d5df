import type { Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/task.ts'
import { countermodel } from './oracle.ts'
import { candidates, type Given, type Shared, sentence } from './question.ts'

/** Each option with a world that refutes it, as lists of the terms each kind of individual in it belongs to. */
export function drawings(problem: Problem<Shared, Given, string>): readonly Json[] {
  const { given, answer } = problem
  return candidates(given).map((option) => {
    const model = countermodel(given.terms.length, given.premises, option, given.existentialImport)
    const text = sentence(option, given.terms)
    return {
      kind: 'sets',
      caption: model === null ? `${text}: follows` : `${text}: false in this world`,
      links: [{ text, parts: ['drawing'] }],
      marked: text === answer,
      sets: given.terms,
      members: (model ?? []).map((kind) => kind.map((t) => given.terms[t] as string)),
    }
  })
}
