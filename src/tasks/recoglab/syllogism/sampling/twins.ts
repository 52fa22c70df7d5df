import { coin, pick, shuffle } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import type { Mood, Proposition } from '../question.ts'
import { drawChain } from './chains.ts'

/**
 * Statements with several questions, one per answer, that look alike within fewer statements around the terms than the
 * proof has.
 */
interface Twins {
  readonly terms: number
  /** From the subjects to the predicates. */
  readonly premises: readonly Proposition[]
  /** Subject and predicate by answer, and the kinds of the statements on the path between them. */
  asked(answer: string): { readonly subject: number; readonly predicate: number; readonly form: string }
}

/** The answer that none of the four propositions follows. */
export const NONE = 'none'
const answers = ['A', 'E', 'I', 'O', NONE] as const

/** Steps on the subject's side and on the predicate's side of the statement in the middle. */
const halves = (n: number): readonly [subject: number, predicate: number] => [
  Math.ceil(n / 2) - 1,
  Math.floor(n / 2) - 1,
]

/** How many terms {@link chooseTwins} needs. */
export function chooseTerms(n: number): number {
  const [h, g] = halves(n)
  return answers.length * (2 * h + 1) + 2 * g + 1
}

/**
 * Five subjects and one predicate P. Each subject S lies in a chain upward, `S < u1 < .. < uh`, and contains one
 * downward, `dh < .. < d1 < S`; P contains a chain downward to e and lies in one upward to f. Four subjects are joined
 * by: All u are e, No u are f, Some d are e, Some d are not f; so one proposition follows for each. The fifth is joined
 * by a statement from which nothing follows. All five look alike within h statements: only the whole path decides.
 */
export function chooseTwins(stream: Stream, n: number, existentialImport: boolean): Twins {
  const [h, g] = halves(n)
  let terms = 0
  const term = (): number => terms++
  const premises: Proposition[] = []
  /** Each all of the next, from `start` on; the last of them. */
  const upward = (start: number, steps: number): number => carry(start, steps, (a, b) => ['A', a, b])
  const downward = (start: number, steps: number): number => carry(start, steps, (a, b) => ['A', b, a])
  function carry(start: number, steps: number, say: (a: number, b: number) => Proposition): number {
    let at = start
    for (let i = 0; i < steps; i++) {
      const next = term()
      premises.push(say(at, next))
      at = next
    }
    return at
  }
  const made = new Map<string, { subject: number; up: number; down: number }>()
  for (const answer of shuffle(stream, answers)) {
    const subject = term()
    made.set(answer, { subject, down: downward(subject, h), up: upward(subject, h) })
  }
  const predicate = term()
  const middle = premises.length
  const inside = downward(predicate, g)
  const outside = upward(predicate, g)
  const end = (answer: string) => made.get(answer) as { subject: number; up: number; down: number }
  const either = (mood: 'E' | 'I', a: number, b: number): Proposition => (coin(stream) ? [mood, a, b] : [mood, b, a])
  const loose = end(NONE)
  const idle = pick(stream, [
    ['A', inside, loose.up],
    either('I', loose.up, inside),
    ['O', loose.up, outside],
    // A class below the subject is known to have members with existential import only.
    ...(existentialImport ? [] : ([['A', loose.down, inside], either('E', loose.down, outside)] as const)),
  ] as const satisfies readonly Proposition[])
  const joins = new Map<string, Proposition>([
    ['A', ['A', end('A').up, inside]],
    ['E', either('E', end('E').up, outside)],
    ['I', either('I', end('I').down, inside)],
    ['O', ['O', end('O').down, outside]],
    [NONE, idle],
  ])
  premises.splice(middle, 0, ...shuffle(stream, [...joins.values()]))
  const carried = (steps: number) => 'A'.repeat(steps)
  return {
    terms,
    premises,
    asked: (answer) => ({
      subject: end(answer).subject,
      predicate,
      form: `${carried(h)}${(joins.get(answer) as Proposition)[0]}${carried(g)}`,
    }),
  }
}

/** How many terms {@link judgeTwins} needs. */
export const judgeTerms = (n: number): number => 2 * n

/**
 * Two chains of one form over different terms. One entails the proposition; in the other a statement in the middle, far
 * from both ends, is reversed, and nothing follows. The label selects the chain of the question.
 */
export function judgeTwins(stream: Stream, n: number, mood: Mood): Twins {
  const hidden = farthest(n - 1)
  for (;;) {
    const chain = drawChain(stream, n, mood, false)
    const turnable = hidden.filter((i) => turns(chain[i] as Proposition))
    if (turnable.length === 0) continue
    const at = pick(stream, turnable)
    const turned = chain.map(([m, s, p], i): Proposition => (i === at ? [m, p, s] : [m, s, p]))
    const moved = (by: number, statements: readonly Proposition[]) =>
      statements.map(([m, s, p]): Proposition => [m, s + by, p + by])
    const validFirst = coin(stream)
    const premises = validFirst ? [...chain, ...moved(n, turned)] : [...turned, ...moved(n, chain)]
    return {
      terms: judgeTerms(n),
      premises,
      asked(answer) {
        const start = (answer === 'Yes') === validFirst ? 0 : n
        return { subject: start, predicate: start + n - 1, form: chain.map(([m]) => m).join('') }
      },
    }
  }
}

/** All and Some-not change their meaning when reversed. */
const turns = ([mood]: Proposition): boolean => mood === 'A' || mood === 'O'

/** The steps farthest from both ends: one of an odd number, two of an even one. */
const farthest = (steps: number): readonly number[] =>
  steps % 2 === 1 ? [(steps - 1) / 2] : [steps / 2 - 1, steps / 2]
