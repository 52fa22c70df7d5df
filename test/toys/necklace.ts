import { z } from 'zod'
import {
  balancedBlocks,
  defineTask,
  type Extraction,
  pick,
  type Question,
  type Stream,
  sample,
  sha256Hex,
  type Task,
} from '../../src/core/index.ts'

/**
 * A small task with everything a dataset can have: a plan, fenced groups, features of every type, holes of both kinds,
 * witnesses. A group is a set of beads; do two equal ones hang side by side on this necklace?
 */

interface Config {
  readonly groups: number | null
  readonly beads: number
  readonly gap: number
  readonly careless: boolean
}
interface Shared {
  readonly [key: string]: string
  readonly beads: string
}
interface Given {
  readonly [key: string]: string
  readonly string: string
}

const config = z.strictObject({
  groups: z.int().min(1).nullable().default(4).describe('groups of 24; null: no end'),
  beads: z.int().min(3).max(12).default(5).describe('kinds of beads'),
  gap: z.number().min(0).max(1).default(0.5).describe('a decimal that changes nothing'),
  careless: z.boolean().default(false).describe('ignores the fence: a fault'),
})

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const paired = (text: string): number => [...text].findIndex((bead, i) => i > 0 && text[i - 1] === bead)

/** Redraws each bead that would make a pair. */
function loose(stream: Stream, beads: string, length: number): string {
  let text = ''
  while (text.length < length) {
    const bead = pick(stream, [...beads])
    if (bead !== text.at(-1)) text += bead
  }
  return text
}

function read(text: string): Extraction<boolean> {
  const word = text.trim().toLowerCase()
  if (word !== 'yes' && word !== 'no') return { kind: 'unparsed', reason: 'neither yes nor no' }
  return { kind: 'extracted', answer: word === 'yes', rule: 'whole', span: [0, text.length] }
}

const keyOf = ({ shared }: Question<Shared, Given>): string => sha256Hex(shared.beads).slice(0, 32)

const features = z.object({
  length: z.int().describe('beads on the string').meta({ role: 'difficulty', unit: 'beads' }),
  even: z.boolean().describe('is the length even?').meta({ role: 'nuisance' }),
  share: z.number().describe('share of distinct beads').meta({ role: 'nuisance' }),
  colour: z.string().nullable().describe('of every other item').meta({ role: 'nuisance' }),
  label: z.boolean().describe('the answer').meta({ role: 'truth' }),
})

const necklace: Task = defineTask<Config, { thread: string }, Shared, Given, boolean, z.infer<typeof features>>({
  name: 'toy/necklace',
  summary: 'Do two equal beads hang side by side?',
  version: 1,
  scorerVersion: 1,
  promptVersion: 1,
  config: config as z.ZodType<Config>,
  presets: {
    small: { summary: 'four groups', aliases: ['tiny'], config: {} },
    endless: { summary: 'groups without end', config: { groups: null } },
  },
  features,
  plan: (_config, draws) => ({ thread: pick(draws.stream('thread'), ['silk', 'wire']) }),
  layout: ({ groups }, _plan, draws) =>
    balancedBlocks(
      {
        factors: ['length'],
        units: [
          { levels: { length: 2 }, capacity: 4 },
          { levels: { length: 6 }, capacity: 4 },
          { levels: { length: 9 }, capacity: 4 },
        ],
        label: { name: 'label', levels: [true, false] },
        groups: { layout: 'group-major', count: groups },
      },
      draws,
    ),
  group: ({ beads, careless }, _plan, group, draws) => {
    if (group === 2) return { kind: 'unreachable', proved: false, reason: 'out of beads' }
    for (let attempt = 0; ; attempt++) {
      const chosen = sample(draws.stream('beads', attempt), letters, beads).sort().join('')
      if (careless || draws.inSplit(keyOf({ shared: { beads: chosen }, given: { string: '' } })))
        return { beads: chosen }
    }
  },
  draw: (_config, shared, at, draws) => {
    const length = at.levels['length'] as number
    const answer = at.levels['label'] === true
    if (length === 2 && answer && at.ordinal > 1)
      return { kind: 'unreachable', proved: true, reason: 'a pair too many' }
    let string = loose(draws.stream('string'), shared.beads, length)
    if (answer) {
      const where = pick(
        draws.stream('pair'),
        Array.from({ length: length - 1 }, (_, i) => i + 1),
      )
      string = string.slice(0, where) + (string[where - 1] as string) + string.slice(where + 1)
    }
    const share = new Set(string).size / length
    const colour = at.ordinal % 2 === 0 ? null : 'red'
    return {
      kind: 'drawn',
      given: { string },
      answer,
      features: { length, even: length % 2 === 0, share: Number(share.toPrecision(6)), colour, label: answer },
    }
  },
  styles: ['plain', 'polite'],
  request: ({ shared, given }, style) => ({
    kind: 'chat',
    messages: [
      { role: 'system', content: `There are beads of the kinds ${shared.beads}.` },
      {
        role: 'user',
        content: `${style === 'polite' ? 'Please: ' : ''}are two alike side by side in ${given.string}?`,
      },
    ],
  }),
  parsers: { strict: read, lenient: read },
  grade: (problem, answer) => ({ value: problem.answer === answer ? 1 : 0 }),
  gold: ({ answer }) => (answer ? 'yes' : 'no'),
  oracle: ({ given }, answer) => /(.)\1/u.test(given.string) === answer,
  witness: ({ given }) => paired(given.string),
  check: ({ given, answer }, witness) =>
    typeof witness === 'number' &&
    (answer
      ? witness > 0 && given.string[witness] === given.string[witness - 1]
      : witness === -1 && paired(given.string) === -1),
  choices: () => ['yes', 'no'],
  canonical: ({ shared, given }) => `${shared.beads} ${given.string}`,
  partition: { domain: 'toy/necklace', keyVersion: 1, of: 'group', key: keyOf },
  analyses: [],
})

export default necklace
