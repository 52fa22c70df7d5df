import { balancedBlocks } from '../../../core/balanced-blocks.ts'
import type { Layout, RandomStreams } from '../../../core/task.ts'
import type { Config, Tier } from './config.ts'
import { attributeNames } from './question.ts'

const numbers = [...attributeNames.keys()]
const ones = numbers.map((a) => [a])
const twos = numbers.flatMap((a) => numbers.filter((b) => b > a).map((b) => [a, b]))

/** The attributes that the first car and the car behind it are judged by. */
const shapes: { readonly [tier in Tier]: readonly (readonly [first: readonly number[], second: readonly number[]])[] } =
  {
    basic: ones.map((first) => [first, []]),
    easy: twos.map((first) => [first, []]),
    medium: ones.flatMap((first) => ones.map((second) => [first, second] as const)),
    hard: twos.flatMap((two) => ones.flatMap((one) => [[two, one] as const, [one, two] as const])),
  }

const names: readonly string[] = attributeNames
const nameOf = (attributes: readonly number[]): string => attributes.map((at) => attributeNames[at]).join('+')
export const attributesOf = (name: string): readonly number[] =>
  name === '' ? [] : name.split('+').map((one) => names.indexOf(one))

/** Every choice of attributes equally often. */
export const layout = ({ tier }: Config, _plan: null, draws: RandomStreams): Layout =>
  balancedBlocks(
    {
      factors: ['first', 'second'],
      units: shapes[tier].map(([first, second]) => ({ levels: { first: nameOf(first), second: nameOf(second) } })),
    },
    draws,
  )
