/**
 * A task of your own in one file: does a string of a's and b's hold an even number of a's?
 *
 *     touchstone show toy/parity --plugin ./parity.ts --index 0
 *     touchstone generate toy/parity --plugin ./parity.ts --preset short --count 1000 --out data/parity
 *     touchstone verify data/parity
 *     touchstone audit data/parity
 */
import { balancedBlocks, coin, defineTask, type Extraction, type Question } from '@touchstone-eval/touchstone/task'
import { z } from 'zod'

interface Given {
  readonly [key: string]: string
  readonly string: string
}
type Answer = 'even' | 'odd'
type Parity = Question<null, Given>

const count = (text: string) => text.split('a').length - 1

/** The last word that is one of the two answers. */
function read(text: string): Extraction<Answer> {
  const found = [...text.slice(-1000).matchAll(/\b(even|odd)\b/gi)].at(-1)
  if (found === undefined) return { kind: 'unparsed', reason: 'neither "even" nor "odd" is there' }
  const start = Math.max(0, text.length - 1000) + found.index
  const answer = found[0].toLowerCase() === 'even' ? 'even' : 'odd'
  return { kind: 'extracted', answer, rule: 'last word', span: [start, start + found[0].length] }
}

export default defineTask({
  name: 'toy/parity',
  summary: "Is the number of a's even?",
  version: 1,
  scorerVersion: 1,
  promptVersion: 1,
  config: z.strictObject({ length: z.int().min(1).max(1000).default(20).describe('letters in a string') }),
  presets: {
    short: { summary: '40 letters', config: { length: 40 } },
    long: { summary: '200 letters', config: { length: 200 } },
  },
  features: z.object({
    length: z.int().describe('letters').meta({ role: 'difficulty', unit: 'letters' }),
    label: z.enum(['even', 'odd']).describe('the answer').meta({ role: 'truth' }),
  }),
  layout: ({ length }, _plan, draws) =>
    balancedBlocks(
      { factors: ['length'], units: [{ levels: { length } }], label: { name: 'label', levels: ['even', 'odd'] } },
      draws,
    ),
  draw({ length }, _shared, at, draws) {
    const answer: Answer = at.levels['label'] === 'even' ? 'even' : 'odd'
    const letters = draws.stream('letters')
    const start = Array.from({ length: length - 1 }, () => (coin(letters) ? 'a' : 'b')).join('')
    // The last letter settles the parity: every string of the label is equally likely.
    const string = start + ((count(start) % 2 === 0) === (answer === 'even') ? 'b' : 'a')
    return { kind: 'drawn', given: { string }, answer, features: { length, label: answer } }
  },
  styles: ['zero-shot'],
  request: ({ given }: Parity) => ({
    kind: 'chat',
    messages: [
      {
        role: 'user',
        content: `Here is a string: ${given.string}\nDoes it hold an even or an odd number of a's? End with "even" or "odd".`,
      },
    ],
  }),
  parsers: { strict: read, lenient: read },
  grade: ({ answer }, said) => ({ value: said === answer ? 1 : 0 }),
  gold: ({ answer }) => answer,
  choices: () => ['even', 'odd'],
  oracle: ({ given }, answer) =>
    ([...given.string].filter((letter) => letter === 'a').length % 2 === 0) === (answer === 'even'),
  // The positions of all a's; their number is the answer.
  witness: ({ given }) => [...given.string].flatMap((letter, at) => (letter === 'a' ? [at] : [])),
  check: ({ given, answer }, witness) =>
    Array.isArray(witness) &&
    witness.length === count(given.string) &&
    witness.every((at) => typeof at === 'number' && given.string[at] === 'a') &&
    (witness.length % 2 === 0) === (answer === 'even'),
  canonical: ({ given }) => given.string,
  analyses: [],
})
