import { type CheckedStep, type CheckedSteps, memoize } from '../../../../core/index.ts'
import { isAsserted, listedAfter } from '../../../../libraries/language/asserted.ts'
import { type Facts, inverse, type Kin, kinOf, type Question, relations, wordOf } from '../question.ts'
import { composeChain } from '../truth/compose.ts'
import { wayOf } from '../truth/witness.ts'

/** The word for what one person is of another, as the sentences on the way between them say; null where they do not. */
type Related = (who: number, of: number) => string | null

const relatedOf = memoize(({ facts }: Facts): Related => {
  const genders = new Map(facts.map(([who, word]) => [who, kinOf(word)?.gender]))
  const along = (who: number, of: number): Kin | null => {
    const way = wayOf(facts, [who, of])
    const kins = way.flatMap((at) => kinOf(facts[at]?.[1] ?? '')?.kin ?? [])
    if (kins.length === 0 || kins.length < way.length) return null
    return composeChain(kins)?.at(0, kins.length)?.kin ?? null
  }
  return (who, of) => {
    const back = along(of, who)
    const kin = along(who, of) ?? (back === null ? null : inverse[back])
    const gender = genders.get(who)
    return kin === null || gender === undefined ? null : wordOf(kin, gender)
  }
})

const NAME = String.raw`\p{Lu}[\p{L}'’-]{0,39}`
const SAID = new RegExp(
  String.raw`(?<![\p{L}'’-])(${NAME}) is (?:the|a|an) (${[...relations, 'wife', 'husband'].join('|')}) of (${NAME})`,
  'gu',
)

/** Another name, of which nothing else is said. */
const MAX_SHOWN = new RegExp(String.raw`^${NAME}(?!\S| is )`, 'u')

/** "A is the aunt of B" in a text, each checked against the sentences on the way between the two. Linear in the text. */
export function stated({ given }: Question, text: string): CheckedSteps {
  if (given.kind === 'story') return { steps: [], unknown: [] }
  const numbers = new Map(given.people.map((name, i) => [name, i]))
  const related = relatedOf(given)
  const [first, second] = given.asked
  const unknown: string[] = []
  const steps = [...text.matchAll(SAID)].flatMap((match): CheckedStep[] => {
    const [who, of] = [match[1], match[3]].map((name) => numbers.get(name ?? ''))
    for (const [name, number] of [
      [match[1], who],
      [match[3], of],
    ] as const)
      if (number === undefined) unknown.push(name ?? '')
    if (who === undefined || of === undefined) return []
    const word = match[2] ?? ''
    const span = [match.index, match.index + match[0].length] as const
    // A list of names goes on: the statement is about several.
    if (!isAsserted(text, span) || MAX_SHOWN.test(listedAfter(text, span[1]) ?? '')) return []
    return [
      {
        span,
        holds: related(who, of) === word,
        decides: who === first && of === second ? word : null,
      },
    ]
  })
  return { steps, unknown }
}
