import {
  type AnonymizedQuestion,
  below,
  bindStreams,
  KeySpace,
  rootKey,
  type Statement,
  type Stream,
  shuffle,
} from '../../src/core/index.ts'
import type { AnswerKind } from '../../src/datasets/audit/answer-kinds.ts'
import { type LocalItem, localItemsOf } from '../../src/datasets/audit/locality/rows.ts'
import type { Subject } from '../../src/datasets/audit/subject.ts'

/** Clean sets that have a text and a structure, neither of which has a part in the answer. */

export const kinds = ['strings in groups', 'statements in groups', 'statements, three answers'] as const
export type Kind = (typeof kinds)[number]

interface Simulated {
  readonly family: AnswerKind & { readonly kind: 'classes' }
  readonly seen: readonly LocalItem[]
}

const perGroup = 50
const tokens = 20
const names = Array.from({ length: 60 }, (_, i) => `name${i}`)

/** A set of n items, every bit of it from the seed. */
export function structured(n: number, seed: number, kind: Kind): Simulated {
  const space = new KeySpace(rootKey('bench/attacker', 1, 'test', `${kind} ${seed}`))
  const labels = kind === 'statements, three answers' ? ['no', 'yes', 'unknown'] : ['no', 'yes']
  const size = kind === 'statements, three answers' ? 1 : perGroup
  const all = bindStreams(space, 'labels/', [])
  const answers = shuffle(
    all.stream('all'),
    Array.from({ length: n }, (_, i) => i % labels.length),
  )
  const subjects: Subject[] = []
  for (let group = 0; subjects.length < n; group++) {
    const draws = bindStreams(space, 'group/', [group])
    const stream = draws.stream('items')
    const likes = kind === 'strings in groups' ? followers(draws.stream('language')) : []
    const keys =
      size === 1
        ? [answers[subjects.length] as number]
        : shuffle(
            draws.stream('labels'),
            Array.from({ length: perGroup }, (_, i) => i % labels.length),
          )
    for (const key of keys.slice(0, n - subjects.length)) {
      const { text, anonymized } = kind === 'strings in groups' ? string(stream, likes) : ordering(stream)
      subjects.push({
        index: subjects.length,
        group: size === 1 ? subjects.length : group,
        cluster: size === 1 ? `item ${subjects.length}` : `group ${group}`,
        answerBlock: null,
        text,
        features: { noise: below(stream, 1000) },
        guesses: {},
        names: new Set(),
        anonymized,
        twin: null,
        answer: { kind: 'class', labels, key },
      })
    }
  }
  const choices = subjects.map(({ answer }) => ({
    choices: labels,
    accepted: labels.map((_, k) => answer.kind === 'class' && k === answer.key),
  }))
  return { family: { kind: 'classes', labels, subjects }, seen: localItemsOf(subjects, choices) }
}

interface Drawn {
  readonly text: string
  readonly anonymized: AnonymizedQuestion
}

/** Which tokens a group's language lets follow each token. */
const followers = (stream: Stream): number[][] =>
  Array.from({ length: tokens }, () => Array.from({ length: 5 }, () => below(stream, tokens)))

function string(stream: Stream, likes: readonly (readonly number[])[]): Drawn {
  const drawn = [below(stream, tokens)]
  const length = 4 + below(stream, 20)
  while (drawn.length < length) drawn.push((likes[drawn.at(-1) as number] as number[])[below(stream, 5)] as number)
  return { text: drawn.map((token) => `t${token}`).join(' '), anonymized: { kind: 'string', tokens: drawn } }
}

/** A tree of comparisons and a question about two of its people. */
function ordering(stream: Stream): Drawn {
  const people = shuffle(stream, names).slice(0, 8 + below(stream, 6))
  const statements: Statement[] = []
  for (let term = 1; term < people.length; term++) {
    const other = below(stream, term)
    const kind = below(stream, 2) === 0 ? 'older' : 'younger'
    statements.push({ kind, places: below(stream, 2) === 0 ? [term, other] : [other, term] })
  }
  const shown = shuffle(stream, statements)
  const first = below(stream, people.length)
  const second = (first + 1 + below(stream, people.length - 1)) % people.length
  const said = shown.map(({ kind, places }) => `${places.map((term) => people[term]).join(` is ${kind} than `)}.`)
  return {
    text: `${said.join('\n')}\nIs ${people[first]} older than ${people[second]}?`,
    anonymized: { kind: 'statements', statements: shown, question: 'older', asked: [first, second] },
  }
}
