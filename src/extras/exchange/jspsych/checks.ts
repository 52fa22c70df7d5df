import { below, namedStream, sample } from '../../../core/index.ts'

/** A question that everybody who reads can answer. */
export interface Check {
  readonly check: string
  readonly choices: readonly string[]
  readonly expected: string
}

const WORDS = ['amber', 'copper', 'indigo', 'olive', 'scarlet', 'violet'] as const
const CHOICES = 3
/** Questions between two checks. */
const EVERY = 10

/** A list with a check after every ten questions or so, at least one; the words are drawn by the name of the list. */
export function withChecks<T>(list: readonly T[], name: string): readonly (T | Check)[] {
  const count = Math.max(1, Math.round(list.length / EVERY))
  const after = new Set(Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * list.length) / count)))
  return list.flatMap((question, at) => (after.has(at) ? [question, checkOf(name, at)] : [question]))
}

function checkOf(name: string, at: number): Check {
  const draws = namedStream('touchstone/jspsych/check', name, String(at))
  const choices = sample(draws, WORDS, CHOICES)
  const expected = choices[below(draws, CHOICES)] as string
  return { check: `This question only checks that you are reading. Choose the word “${expected}”.`, choices, expected }
}
