import { describe, expect, test } from 'vitest'
import { below, namedStream, pick } from '../../../src/core/index.ts'
import type { Shared } from '../../../src/tasks/relic/grammars/grammar.ts'
import { targetWordsOf } from '../../../src/tasks/relic/grammars/grammar.ts'
import { writerOf } from '../../../src/tasks/relic/grammars/present.ts'
import type { Given } from '../../../src/tasks/relic/grammars/strings.ts'
import type { Answer } from '../../../src/tasks/relic/translate/draw.ts'
import { drawn, problemsOf, scored, solvedBy, stepsOf } from './drawn.ts'

const all = drawn<Shared, Given, Answer>(
  'relic/translate',
  ['translate-easy', 24],
  ['translate', 16],
  ['translate-pairs', 16],
)

/** All translations by plain enumeration of derivations over the text. */
function enumerated({ grammar, targets = '' }: Shared, tokens: readonly string[]): ReadonlySet<string> {
  const sides = targets.split('\n')
  const rules = grammar.split('\n').map((line, at) => ({ parts: line.split(' '), side: sides[at]!.split(' ') }))
  const of = (symbol: string, from: number, to: number): readonly (readonly string[])[] =>
    rules.flatMap(({ parts: [left, , first = '', second], side }) => {
      if (left !== symbol) return []
      if (second === undefined) return to - from === 1 && first === `'${tokens[from]}'` ? [[side[0]!.slice(1, -1)]] : []
      return Array.from({ length: to - from - 1 }, (_, k) => from + 1 + k).flatMap((split) => {
        const ones = of(first, from, split)
        return ones.length === 0
          ? []
          : of(second, split, to).flatMap((two) =>
              ones.map((one) => {
                const left = first === second ? [one, two] : []
                return side.flatMap((name) =>
                  name.startsWith("'") ? [name.slice(1, -1)] : (left.shift() ?? (name === first ? one : two)),
                )
              }),
            )
      })
    })
  return new Set(of('S', 0, tokens.length).map((words) => words.join(' ')))
}

describe('translations', () => {
  test('are those of all derivations, one by one; the answer is the only one', () => {
    for (const { problem } of all.slice(0, 24))
      expect([...enumerated(problem.shared, problem.given.string.split(' '))]).toEqual([problem.answer.join(' ')])
  })

  test('of ambiguous strings are each right', () => {
    const { task, problems } = problemsOf<Shared, Given, Answer>('relic/translate', 'translate-easy', 40, {
      unique: false,
      load: 0.7,
    })
    let several = 0
    for (const problem of problems) {
      const found = enumerated(problem.shared, problem.given.string.split(' '))
      several += found.size > 1 ? 1 : 0
      for (const text of found) {
        expect(task.oracle(problem, text.split(' '))).toBe(true)
        expect(task.grade!(problem as never, text.split(' ')).value).toBe(1)
        const other = { ...problem, answer: text.split(' ') } as never
        expect(task.check!(other, task.witness!(other))).toBe(true)
      }
    }
    expect(several).toBeGreaterThan(10)
  })
})

test('a changed translation scores 1 only where the oracle accepts it, and never by words alone', () => {
  const stream = namedStream('translate test', 'mutants')
  for (const { task, problem } of all) {
    const words = [...targetWordsOf(problem.shared)]
    for (let k = 0; k < 12; k++) {
      const answer = [...problem.answer]
      const [one, two] = [below(stream, answer.length), below(stream, answer.length)]
      if (k % 3 === 0) answer[one] = pick(stream, words)
      else if (k % 3 === 1) answer.splice(one, 1)
      else [answer[one], answer[two]] = [answer[two]!, answer[one]!]
      const { value, parts } = task.grade!(problem as never, answer)
      expect(value === 1, answer.join(' ')).toBe(task.oracle(problem, answer))
      expect(value === 1).toBe(parts!['prefix'] === 1)
      if (k % 3 === 2) expect(parts!['words']).toBe(1)
    }
  }
})

test('it is read on a line, in a code block and in the words of a style; source words are wrong', () => {
  for (const one of all) {
    const { shared, answer, given } = one.problem
    for (const style of ['zero-shot', 'nonsense', 'words']) {
      const text = answer.map(writerOf(shared, style)).join(' ')
      for (const written of [`Answer: ${text}`, `**Answer:** ${text.replaceAll(' ', ', ')}`, `\`\`\`\n${text}\n\`\`\``])
        for (const parser of ['strict', 'lenient']) expect(scored(one, written, parser), written).toBe(1)
    }
    expect(scored(one, `Answer: ${given.string}`)).toBe(0)
    expect(scored(one, `**Translation:** "${answer.join(' ')}"`, 'lenient')).toBe(1)
  }
})

test('lines of the solution hold; a changed word does not', () => {
  for (const one of all.slice(0, 16)) {
    const { steps, unknown } = stepsOf(one)
    expect(steps.length).toBe(2 * one.problem.given.string.split(' ').length)
    expect(steps.every(({ holds }) => holds)).toBe(true)
    expect(unknown).toEqual([])
    const other = [...targetWordsOf(one.problem.shared)].find((word) => !one.problem.answer.includes(word))
    const changed = stepsOf(one, (text) => text.replace(/: (u\d+)$/mu, `: ${other}`)).steps
    expect(changed.filter(({ holds }) => !holds)).toHaveLength(1)
  }
})

test('the exact baseline is right; words in order and word by word are not', () => {
  expect(solvedBy(all, 'chart')).toBe(1)
  for (const name of ['in-order', 'word-by-word', 'random']) expect(solvedBy(all, name)).toBe(0)
})
