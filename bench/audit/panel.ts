import {
  below,
  bindStreams,
  coin,
  float,
  KeySpace,
  pick,
  rootKey,
  type Stream,
  sampleIndices,
  shuffle,
} from '../../src/core/index.ts'
import type { AnswerKind } from '../../src/datasets/audit/answer-kinds.ts'
import { type LocalItem, localItemsOf } from '../../src/datasets/audit/locality/rows.ts'
import type { Subject } from '../../src/datasets/audit/subject.ts'
import { firstNames } from '../../src/libraries/language/people.ts'

/** A prompt of ten people: statements about pairs of them, and a question about two. */
interface Prompt {
  readonly lines: readonly { readonly first: string; readonly second: string; readonly word: string }[]
  readonly asked: readonly [first: string, second: string]
  readonly word: string
}

const pool = firstNames.all
const words = ['older', 'younger'] as const
const people = 10
const vowels = (name: string): number => name.toLowerCase().match(/[aeiou]/g)?.length ?? 0
const lineOf = ({ lines }: Prompt, name: string, from = 0): number =>
  lines.findIndex(({ first, second }, i) => i >= from && (first === name || second === name))
const listed = ({ lines }: Prompt): string[] => [...new Set(lines.flatMap(({ first, second }) => [first, second]))]
const partners = ({ lines }: Prompt, name: string): string[] =>
  lines.flatMap(({ first, second }) => (first === name ? [second] : second === name ? [first] : []))
const mentions = ({ lines }: Prompt, name: string): number =>
  lines.filter(({ first, second }) => first === name || second === name).length

/**
 * Ten rules that an accident of a generator could plant, made up after the probes were fixed. No probe may be made for one
 * of them.
 */
export const leaks: { readonly [name: string]: (prompt: Prompt) => boolean } = {
  'longer first line': (prompt) => {
    const [a, b] = prompt.asked.map((name) => prompt.lines[lineOf(prompt, name)])
    const size = (line: typeof a): number => (line === undefined ? 0 : `${line.first}${line.word}${line.second}`.length)
    return size(a) > size(b)
  },
  'first of the alphabet is asked': (prompt) => prompt.asked.includes(listed(prompt).sort()[0] as string),
  'word of the question is that of the first line': ({ lines, word }) => lines[0]?.word === word,
  'letter a in the second name': ({ asked }) => asked[1].toLowerCase().includes('a'),
  'most lines say older': ({ lines }) => 2 * lines.filter(({ word }) => word === 'older').length > lines.length,
  'even number of vowels in both names': ({ asked }) => (vowels(asked[0]) + vowels(asked[1])) % 2 === 0,
  'the most named person is beside the first': (prompt) => {
    const names = listed(prompt)
    const most = Math.max(...names.map((name) => mentions(prompt, name)))
    return partners(prompt, prompt.asked[0]).some((name) => mentions(prompt, name) === most)
  },
  'last line begins before the second in the alphabet': ({ lines, asked }) => (lines.at(-1)?.first ?? '') < asked[1],
  'even number of initials': (prompt) => new Set(listed(prompt).map((name) => name[0])).size % 2 === 0,
  'name before the second ends in a vowel': (prompt) => {
    const names = listed(prompt)
    return vowels(names[names.indexOf(prompt.asked[1]) - 1]?.slice(-1) ?? '') === 1
  },
}

/** A random tree of statements; its question is about any two people. */
function drawn(stream: Stream): Prompt {
  const names = sampleIndices(stream, pool.length, people).map((i) => pool[i] as string)
  const lines = shuffle(
    stream,
    names.slice(1).map((name, i) => {
      const other = names[below(stream, i + 1)] as string
      const [first, second] = coin(stream) ? [name, other] : [other, name]
      return { first, second, word: pick(stream, words) }
    }),
  )
  const [a, b] = sampleIndices(stream, people, 2) as [number, number]
  return { lines, asked: [names[a] as string, names[b] as string], word: pick(stream, words) }
}

const textOf = ({ lines, asked, word }: Prompt): string =>
  `${lines.map((line) => `${line.first} is ${line.word} than ${line.second}.`).join('\n')}\nIs ${asked[0]} ${word} than ${asked[1]}?`

/** The share of items in which a planted rule is right. */
const right = 0.75

/** A set whose answers, as many of each, have no part in it but by the leak. */
export function planted(n: number, seed: number, leak?: (prompt: Prompt) => boolean) {
  const stream = bindStreams(new KeySpace(rootKey('bench/panel', 1, 'test', String(seed))), 'set/', [0]).stream('items')
  const labels = ['no', 'yes']
  const keys = shuffle(
    stream,
    Array.from({ length: n }, (_, i) => i % 2),
  )
  const subjects = keys.map((key, index): Subject => {
    const wanted = float(stream) < right ? key === 1 : key === 0
    let prompt = drawn(stream)
    while (leak !== undefined && leak(prompt) !== wanted) prompt = drawn(stream)
    const names = listed(prompt)
    return {
      index,
      group: index,
      cluster: `item ${index}`,
      answerBlock: null,
      text: textOf(prompt),
      features: { noise: below(stream, 1000) },
      guesses: {},
      names: new Set(names),
      anonymized: {
        kind: 'statements',
        statements: prompt.lines.map(({ first, second, word }) => ({
          kind: word,
          places: [names.indexOf(first), names.indexOf(second)],
        })),
        question: prompt.word,
        asked: prompt.asked.map((name) => names.indexOf(name)),
        radius: people,
      },
      twin: null,
      answer: { kind: 'class', labels, key },
    }
  })
  const choices = subjects.map(({ answer }) => ({
    choices: labels,
    accepted: labels.map((_, k) => answer.kind === 'class' && answer.key === k),
  }))
  const family: AnswerKind = { kind: 'classes', labels, subjects }
  const local: LocalItem[] = localItemsOf(subjects, choices)
  return { family, local }
}
