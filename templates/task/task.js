// @ts-check
import { balancedBlocks, coin, defineTask } from '@touchstone-eval/touchstone/task'
import { z } from 'zod'

/** @typedef {{ string: string }} Given the question: everything that a prompt may show */
/** @typedef {'even' | 'odd'} Answer the correct answer; no prompt shows it */

/** @param {string} text */
const count = (text) => text.split('a').length - 1

/** The answer on the last line that is not empty, with or without a full stop. */
const strict = (/** @type {string} */ text) => {
  const line = text.trimEnd().split('\n').at(-1) ?? ''
  const match = /^[ \t]{0,20}(?:answer:[ \t]{0,20})?(even|odd)\.?$/i.exec(line)
  if (match === null) return unparsed
  const start = text.trimEnd().length - line.length
  return read(match[1], [start, start + line.length])
}

/** Like strict, else the last "even" or "odd". The text may be anything: keep this linear. */
const lenient = (/** @type {string} */ text) => {
  const found = strict(text)
  if (found.kind === 'extracted') return found
  const from = Math.max(0, text.length - 2000)
  const last = [...text.slice(from).matchAll(/\b(?:even|odd)\b/gi)].at(-1)
  return last === undefined ? unparsed : read(last[0], [from + last.index, from + last.index + last[0].length])
}

const unparsed = /** @type {const} */ ({ kind: 'unparsed', reason: 'neither "even" nor "odd" is the answer' })
/** @returns {{ kind: 'extracted', answer: Answer, rule: string, span: readonly [number, number] }} */
const read = (/** @type {string | undefined} */ word, /** @type {readonly [number, number]} */ span) => ({
  kind: 'extracted',
  answer: word?.toLowerCase() === 'even' ? 'even' : 'odd',
  rule: 'word',
  span,
})

export default defineTask({
  name: 'my/task',
  summary: "Is the number of a's even?",
  // Raise version when items change, promptVersion when prompts do, scorerVersion when parsers or grade do.
  version: 1,
  promptVersion: 1,
  scorerVersion: 1,
  config: z.strictObject({ length: z.int().min(2).max(1000).default(60).describe('letters in a string') }),
  presets: {
    easy: { summary: '60 letters', config: { length: 60 } },
    hard: { summary: '400 letters', config: { length: 400 } },
  },
  // Facts about an item for analyses, each with its role: difficulty, stratum, nuisance, truth or id.
  features: z.object({
    length: z.int().describe('letters').meta({ role: 'difficulty', unit: 'letters' }),
    label: z.enum(['even', 'odd']).describe('the answer').meta({ role: 'truth' }),
  }),
  // The plan of indices: both answers equally often, in any prefix.
  layout: ({ length }, _plan, draws) =>
    balancedBlocks(
      { factors: [], units: [{ levels: { length } }], label: { name: 'label', levels: ['even', 'odd'] } },
      draws,
    ),
  // One item. All randomness comes from the streams, so that an index is the same item on every machine.
  draw({ length }, _shared, at, draws) {
    const answer = at.levels['label'] === 'even' ? 'even' : 'odd'
    const letters = draws.stream('letters')
    const start = Array.from({ length: length - 1 }, () => (coin(letters) ? 'a' : 'b')).join('')
    // The last letter decides; every string of the label is equally likely, so no single letter predicts the answer.
    const string = start + ((count(start) % 2 === 0) === (answer === 'even') ? 'b' : 'a')
    return { kind: 'drawn', given: { string }, answer, features: { length, label: answer } }
  },
  styles: ['plain'],
  request: ({ given }) => ({
    kind: 'chat',
    messages: [
      {
        role: 'user',
        content: `Here is a string: ${given.string}\nDoes it hold an even or an odd number of a's? End with a line that is "even" or "odd".`,
      },
    ],
  }),
  parsers: { strict, lenient },
  grade: ({ answer }, prediction) => ({ value: prediction === answer ? 1 : 0 }),
  // A response with score 1, and all possible answers.
  gold: ({ answer }) => answer,
  choices: () => ['even', 'odd'],
  // Checks an answer by another method than draw, from the question alone.
  oracle: ({ given }, answer) =>
    ([...given.string].filter((letter) => letter === 'a').length % 2 === 0) === (answer === 'even'),
  // A proof that is stored with the item, and its check.
  witness: ({ given }) => [...given.string].flatMap((letter, at) => (letter === 'a' ? [at] : [])),
  check: ({ given, answer }, witness) =>
    Array.isArray(witness) &&
    witness.length === count(given.string) &&
    witness.every((at) => typeof at === 'number' && given.string[at] === 'a') &&
    (witness.length % 2 === 0) === (answer === 'even'),
  // Equal for items that ask the same question; keeps splits disjoint.
  canonical: ({ given }) => given.string,
  // The anonymized question for the audit: its tokens.
  anonymize: ({ given }) => ({ kind: 'string', tokens: [...given.string].map((letter) => (letter === 'a' ? 0 : 1)) }),
  // Heuristics that must not beat chance; the audit tests them too.
  heuristics: { 'last-letter': ({ given }) => (given.string.endsWith('a') ? 'odd' : 'even') },
  baselines: {
    always: { kind: 'chat', note: 'Says even', answer: () => 'even' },
    counts: { kind: 'chat', note: 'Counts', answer: ({ given }) => (count(given.string) % 2 === 0 ? 'even' : 'odd') },
  },
  analyses: [],
})
