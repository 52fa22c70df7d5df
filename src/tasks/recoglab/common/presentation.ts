import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { enc, sha256 } from '../../../core/hash.ts'
import { shuffle } from '../../../core/random.ts'
import { type Stream, streamFromKey } from '../../../core/streams.ts'
import type { RandomStreams } from '../../../core/task.ts'
import type { TokenCounters } from '../../../libraries/language/tokens.ts'

/** Parameters of presentation that all four tasks share. None of them can change what is true. */
export const presentationShape = {
  order: z
    .enum(['random', 'forward', 'reverse'])
    .default('random')
    .describe('Order of the statements: shuffled, along the structure, or against it'),
  filler: z
    .enum(['none', 'prose', 'entities', 'given'])
    .default('none')
    .describe('Irrelevant sentences: general prose, about the entities, or yours (see fillerLines, padTokens)'),
  fillerText: z
    .string()
    .max(1_000_000)
    .default('')
    .describe('Your irrelevant sentences, one a line, for filler "given" (VALUE or @FILE)'),
  fillerLines: z.int().min(0).max(100_000).default(0).describe('Number of irrelevant sentences'),
  fillerPosition: z
    .enum(['before', 'after', 'interspersed'])
    .default('interspersed')
    .describe('Where irrelevant sentences stand in the context'),
  padTokens: z
    .int()
    .min(0)
    .max(2_000_000)
    .default(0)
    .describe('Add irrelevant sentences until the context has about this many tokens; 0: off'),
  tokenCounter: z
    .string()
    .max(200)
    .default('characters')
    .describe('Counter of padTokens: characters (divided by 4), words, pieces, or name@version from a plugin'),
  modules: z
    .array(z.enum(['comparison', 'social', 'syllogism', 'families']))
    .max(16)
    .default([])
    .describe('Further contexts about other entities, placed before the one of the question'),
  preamble: z.string().max(4000).default('').describe('Your text before the context (default: none)'),
  questionPreamble: z.string().max(4000).default('').describe('Your text before the question (default: none)'),
} as const

const presentation = z.object(presentationShape)
export type Presentation = Readonly<z.infer<typeof presentation>>

/** As an item keeps it: texts that are empty are omitted, and of sentences that were given those are kept that it needs. */
type StoredPresentation = Omit<Presentation, 'fillerText' | 'preamble' | 'questionPreamble'> &
  Partial<Pick<Presentation, 'preamble' | 'questionPreamble'>> & { readonly fillerText?: readonly string[] }

/**
 * What a group shares: how its context is presented, and the parameters for drawing solved examples of the same kind.
 * Four words seed the shuffles, so a prompt is a function of the question.
 */
export type Shown = StoredPresentation & {
  readonly view: readonly number[]
  readonly like: { readonly [key: string]: string | number | boolean }
}

function drawView(draws: RandomStreams, fits: (view: Shown['view']) => boolean): Shown['view'] {
  const stream = draws.stream('view')
  for (;;) {
    const view = [stream.u32(), stream.u32(), stream.u32(), stream.u32()]
    if (fits(view)) return view
  }
}

const presentationOf = (config: Presentation): StoredPresentation => ({
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

/** The sentences of a text, one a line. */
export const sentencesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** Of the sentences that a config gives, in random order as many as an item can need. */
function drawSentences(
  { fillerText, fillerLines, padTokens }: Presentation,
  count: (text: string) => number,
  stream: Stream,
): readonly string[] {
  const kept: string[] = []
  let padded = 0
  for (const line of shuffle(stream, sentencesOf(fillerText))) {
    // Lines may count for more than the whole that they make.
    if (kept.length >= fillerLines && padded >= 1.2 * padTokens) break
    if (kept.push(line) > fillerLines) padded += count(line)
  }
  return kept
}

/** The named parameters of a config that differ from the default: enough to draw more items of its kind. */
function likeOf<C extends { readonly [key in K]: string | number | boolean }, K extends string>(
  config: C,
  defaults: C,
  parameters: readonly K[],
): { readonly [key: string]: string | number | boolean } {
  return Object.fromEntries(parameters.filter((key) => config[key] !== defaults[key]).map((key) => [key, config[key]]))
}

/** The counter of `padTokens`. */
export const counterOf = ({ tokenCounter }: Pick<Shown, 'tokenCounter'>, counters: TokenCounters) =>
  counters[tokenCounter] as TokenCounters[string]

/** An independent stream of presentation choices by name. */
export const viewStream = (shown: Pick<Shown, 'view'>, name: string): Stream =>
  streamFromKey(sha256(enc('recoglab/view/1', ...shown.view, name)))

/** Statements in the order of the prompt. */
export function inPromptOrder<T>(shown: Pick<Shown, 'view' | 'order'>, statements: readonly T[]): readonly T[] {
  if (shown.order === 'forward') return statements
  if (shown.order === 'reverse') return [...statements].reverse()
  return shuffle(viewStream(shown, 'order'), statements)
}

/** Presentation: equal for all items of a dataset, a column for comparisons between datasets. */
export const presentationFeatures = {
  order: feature(z.string(), 'nuisance', 'Order of the statements'),
  filler: feature(z.string(), 'nuisance', 'Kind of irrelevant sentences'),
  fillerLines: feature(z.int(), 'nuisance', 'Irrelevant sentences asked for', 'sentences'),
  padTokens: feature(z.int(), 'nuisance', 'Length the context is padded to; 0: not padded', 'tokens'),
}

export const presentationValues = (config: Presentation) => ({
  order: config.order,
  filler: config.filler,
  fillerLines: config.fillerLines,
  padTokens: config.padTokens,
})

/** The largest integer whose square is at most n. */
export function wholeRoot(n: number): number {
  let root = 0
  while ((root + 1) * (root + 1) <= n) root++
  return root
}

/**
 * The streams of one kind of question. Configs that ask the same are paired by index: they share names, statements and
 * labels. Those that ask something else share none, since the answer to one would tell of the answer to the other.
 */
export const streamsOf = (config: { readonly ask: string }, draws: RandomStreams): RandomStreams =>
  draws.fork(config.ask)

/**
 * Builds what a group shares; `own` adds the task's presentation settings, `contentParameters` are those that solved
 * examples need, `inSplit` says which views a split may use.
 */
export function sharing<
  C extends Presentation & { readonly ask: string } & { readonly [key in K]: string | number | boolean },
  K extends string,
  O,
>(
  config: z.ZodType<C>,
  counters: TokenCounters,
  contentParameters: readonly K[],
  own: (config: C) => O,
  inSplit: (config: C, view: Shown['view'], draws: RandomStreams) => boolean = () => true,
) {
  const defaults = config.parse({})
  return (c: C, _plan: unknown, _group: number, draws: RandomStreams) => ({
    view: drawView(streamsOf(c, draws), (view) => inSplit(c, view, draws)),
    ...presentationOf(c),
    ...(c.filler !== 'given' ? {} : { fillerText: drawSentences(c, counterOf(c, counters), draws.stream('filler')) }),
    ...own(c),
    like: likeOf(c, defaults, contentParameters),
  })
}
