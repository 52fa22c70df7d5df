import type { Json } from '../../../../core/index.ts'
import { historyOf, wordOf, wordText } from '../../../../libraries/rewriting/sounds/index.ts'
import type { Answer, Given } from '../question.ts'
import { readLaws } from '../reading/read-laws.ts'
import { states } from './oracle.ts'

/** By language, every unseen word after each law. */
export function witness({ unseen, limits }: Given, { laws }: Answer): Json {
  return laws.map((texts) => {
    const read = readLaws(texts, limits.laws)
    return unseen.map(({ older }) =>
      historyOf(read, wordOf(older))
        .slice(1)
        .map((word) => (word === null ? null : wordText(word))),
    )
  })
}

/** Is every step what the regular expressions of the oracle make of it, and the last one the younger form? */
export function check({ languages, unseen }: Given, { laws }: Answer, proof: Json): boolean {
  const steps = proof as readonly (readonly (readonly (string | null)[])[])[]
  if (!Array.isArray(steps) || steps.length !== languages.length || laws.length !== languages.length) return false
  return languages.every((_, k) => {
    const after = states(
      laws[k] ?? [],
      unseen.map(({ older }) => older),
    )
    return unseen.every(({ older, younger }, i) => {
      const told = steps[k]?.[i]
      if (!Array.isArray(told) || told.length !== after.length) return false
      const last = told.length === 0 ? older : told.at(-1)
      return told.every((word, n) => word === after[n]?.[i]) && (younger[k] === null || younger[k] === last)
    })
  })
}
