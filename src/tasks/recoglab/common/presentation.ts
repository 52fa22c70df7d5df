import { z } from 'zod'
import { enc, sha256 } from '../../../core/hash.ts'
import { shuffle } from '../../../core/random.ts'
import { type Stream, streamFromKey } from '../../../core/streams.ts'
import type { RandomStreams } from '../../../core/task.ts'

/** Knobs of presentation that all four tasks share. None of them can change what is true. */
export const presentationShape = {
  order: z
    .enum(['random', 'forward', 'reverse'])
    .default('random')
    .describe('Order of the statements: shuffled, along the structure, or against it'),
  filler: z
    .enum(['none', 'prose', 'entities'])
    .default('none')
    .describe('Irrelevant sentences: about nothing, or about the entities; fillerLines or padTokens say how many'),
  fillerLines: z
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .describe('How many irrelevant sentences of the kind that filler names'),
  fillerPosition: z
    .enum(['before', 'after', 'interspersed'])
    .default('interspersed')
    .describe('Where irrelevant sentences stand in the context'),
  padTokens: z
    .int()
    .min(0)
    .max(2_000_000)
    .default(0)
    .describe(
      'Add irrelevant sentences, of the kind that filler names, until the context has about so many tokens; 0: do not',
    ),
  tokenCounter: z
    .string()
    .max(200)
    .default('characters')
    .describe(
      'How padTokens counts: characters (a quarter of them), words, pieces (of words, and marks), or name@version of a counter that a plugin brings',
    ),
  modules: z
    .array(z.enum(['comparison', 'social', 'syllogism', 'families']))
    .max(16)
    .default([])
    .describe('Further contexts, about other entities, that stand before the one asked about'),
  preamble: z.string().max(4000).default('').describe('Your own text before the context; empty: none'),
  questionPreamble: z.string().max(4000).default('').describe('Your own text before the question; empty: none'),
} as const

const presentation = z.object(presentationShape)
export type Presentation = Readonly<z.infer<typeof presentation>>

/** As an item keeps it: texts that are empty are left out. */
type Kept = Omit<Presentation, 'preamble' | 'questionPreamble'> &
  Partial<Pick<Presentation, 'preamble' | 'questionPreamble'>>

/**
 * What a group shares: how its context is shown, and what of the config is needed to draw solved examples of the same
 * kind. Four words seed the shuffles, so that a prompt is a function of the question.
 */
export type Shown = Kept & {
  readonly view: readonly number[]
  readonly like: { readonly [key: string]: string | number | boolean }
}

export function drawView(draws: RandomStreams): readonly number[] {
  const stream = draws.stream('view')
  return [stream.u32(), stream.u32(), stream.u32(), stream.u32()]
}

export const presentationOf = (config: Presentation): Kept => ({
  order: config.order,
  filler: config.filler,
  fillerLines: config.fillerLines,
  fillerPosition: config.fillerPosition,
  padTokens: config.padTokens,
  tokenCounter: config.tokenCounter,
  modules: config.modules,
  ...(config.preamble === '' ? {} : { preamble: config.preamble }),
  ...(config.questionPreamble === '' ? {} : { questionPreamble: config.questionPreamble }),
})

/** The named knobs of a config that differ from the default: enough to draw more items of its kind. */
export function likeOf<C extends { readonly [key in K]: string | number | boolean }, K extends string>(
  config: C,
  defaults: C,
  knobs: readonly K[],
): { readonly [key: string]: string | number | boolean } {
  return Object.fromEntries(knobs.filter((key) => config[key] !== defaults[key]).map((key) => [key, config[key]]))
}

/** An independent stream of presentation choices by name. */
export const viewStream = (shown: Shown, name: string): Stream =>
  streamFromKey(sha256(enc('recoglab/view/1', ...shown.view, name)))

/** Statements, given along the structure, in the order they are shown. */
export function ordered<T>(shown: Shown, statements: readonly T[]): readonly T[] {
  if (shown.order === 'forward') return statements
  if (shown.order === 'reverse') return [...statements].reverse()
  return shuffle(viewStream(shown, 'order'), statements)
}
