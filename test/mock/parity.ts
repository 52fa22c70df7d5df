import { z } from 'zod'
import { balancedBlocks, below, defineTask, type Extraction, type Task } from '../../src/core/index.ts'

/** A small task for tests of the runner: is a number even? Groups of ten share the words of the question. */

interface Config {
  readonly digits: number
  readonly groups: number | null
}

const config = z.strictObject({
  digits: z.int().min(1).max(9).default(3).describe('digits of the number'),
  groups: z.int().min(1).nullable().default(null).describe('groups of 10; null: no end'),
})

const read = (text: string): Extraction<boolean> => {
  const match = /^(Yes|No)\.?$/u.exec(text.trim())
  if (match === null) return { kind: 'unparsed', reason: 'the response is neither Yes nor No' }
  return { kind: 'extracted', answer: match[1] === 'Yes', rule: 'whole', span: [0, text.length] }
}

const readAnywhere = (text: string): Extraction<boolean> => {
  const at = Math.max(text.lastIndexOf('Yes'), text.lastIndexOf('No'))
  if (at < 0) return { kind: 'unparsed', reason: 'no Yes or No' }
  const yes = text.startsWith('Yes', at)
  return { kind: 'extracted', answer: yes, rule: 'last', span: [at, at + (yes ? 3 : 2)] }
}

/** What the mock answers to a prompt of this task. */
export function rightAnswer(prompt: string): string {
  const match = /(\d+)\?/u.exec(prompt)
  return match !== null && Number(match[1]) % 2 === 1 ? 'No' : 'Yes'
}

export const parity: Task = defineTask<
  Config,
  null,
  { word: string },
  { n: number },
  boolean,
  { digits: number; even: boolean }
>({
  name: 'mock/parity',
  summary: 'is a number even?',
  version: 1,
  scorerVersion: 1,
  promptVersion: 1,
  config: config as z.ZodType<Config>,
  presets: {
    small: { summary: 'three digits', config: { digits: 3, groups: 10 } },
    endless: { summary: 'no end', config: {} },
  },
  features: z.object({
    digits: z.int().describe('digits').meta({ role: 'difficulty' }),
    even: z.boolean().describe('the answer').meta({ role: 'truth' }),
  }),
  layout: (c, _plan, draws) =>
    balancedBlocks(
      {
        factors: [],
        units: [{ levels: {}, capacity: 5 }],
        label: { name: 'even', levels: [true, false] },
        groups: { layout: 'group-major', count: c.groups },
      },
      draws,
    ),
  group: (_c, _plan, group) => ({ word: `group ${group}` }),
  draw: (c, _shared, at, draws) => {
    const even = at.levels['even'] === true
    const half = below(draws.stream('n'), 10 ** c.digits / 2)
    return {
      kind: 'drawn',
      given: { n: 2 * half + (even ? 0 : 1) },
      answer: even,
      features: { digits: c.digits, even },
    }
  },
  styles: ['plain', 'polite'],
  request: (question, style) => ({
    kind: 'chat',
    messages: [
      {
        role: 'user',
        content: `${style === 'polite' ? 'Please tell: ' : ''}(${question.shared.word}) is this number even: ${question.given.n}?`,
      },
    ],
  }),
  parts: { texts: { n: ({ given }) => String(given.n), word: ({ shared }) => shared.word }, needs: ['n'] },
  parsers: { strict: read, lenient: readAnywhere },
  grade: (problem, answer) => ({ value: problem.answer === answer ? 1 : 0, parts: { even: problem.answer ? 1 : 0 } }),
  gold: (problem) => (problem.answer ? 'Yes' : 'No'),
  oracle: (question, answer) => (question.given.n % 2 === 0) === answer,
  witness: () => null,
  check: () => true,
  choices: () => ['Yes', 'No'],
  baselines: {
    exact: {
      kind: 'chat',
      note: 'looks at the number',
      answer: (question) => (question.given.n % 2 === 0 ? 'Yes' : 'No'),
    },
    even: { kind: 'chat', note: 'always Yes', answer: () => 'Yes' },
    broken: {
      kind: 'chat',
      note: 'throws',
      answer: () => {
        throw new Error('no idea')
      },
    },
  },
  improve: (question, response) =>
    read(response).kind === 'extracted' ? response : question.given.n % 2 === 0 ? 'Yes' : 'No',
  analyses: [],
})
