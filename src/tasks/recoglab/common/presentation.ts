import { z } from 'zod'
import { enc, sha256 } from '../../../core/hash.ts'
import { shuffle } from '../../../core/random.ts'
import { type Stream, streamFromKey } from '../../../core/stream.ts'
import type { Streams } from '../../../core/task.ts'
import { type EntityKind, entityLine, proseLine } from '../../../language/filler.ts'
import { tokenCounters } from '../../../language/tokens.ts'

/** Knobs of presentation that all four tasks share. None of them can change what is true. */
export const presentationShape = {
  order: z
    .enum(['random', 'forward', 'reverse'])
    .default('random')
    .describe('Order of the statements: shuffled, along the structure, or against it'),
  filler: z
    .enum(['none', 'prose', 'entities'])
    .default('none')
    .describe('Irrelevant sentences: about nothing, or about the entities'),
  fillerLines: z.int().min(0).max(100_000).default(0).describe('How many irrelevant sentences'),
  fillerPosition: z
    .enum(['before', 'after', 'interspersed'])
    .default('interspersed')
    .describe('Where irrelevant sentences stand in the context'),
  padTokens: z
    .int()
    .min(0)
    .max(2_000_000)
    .default(0)
    .describe('Add irrelevant sentences until the context has about so many tokens; 0: do not'),
  tokenCounter: z
    .enum(['characters', 'words', 'pieces'])
    .default('characters')
    .describe('How padTokens counts: characters / 4, words, or word pieces and marks'),
  modules: z
    .array(z.enum(['comparison', 'social', 'syllogism', 'families']))
    .max(16)
    .default([])
    .describe('Further contexts, about other entities, that stand before the one asked about'),
} as const

const presentation = z.object(presentationShape)
export type Presentation = Readonly<z.infer<typeof presentation>>

/**
 * What a group shares: how its context is shown, and what of the config is needed to draw solved examples of the same
 * kind. Four words seed the shuffles, so that a prompt is a function of the question.
 */
export type Shown = Presentation & {
  readonly view: readonly number[]
  readonly like: { readonly [key: string]: string | number | boolean }
}

export function drawView(draws: Streams): readonly number[] {
  const stream = draws.stream('view')
  return [stream.u32(), stream.u32(), stream.u32(), stream.u32()]
}

export const presentationOf = (config: Presentation): Presentation => ({
  order: config.order,
  filler: config.filler,
  fillerLines: config.fillerLines,
  fillerPosition: config.fillerPosition,
  padTokens: config.padTokens,
  tokenCounter: config.tokenCounter,
  modules: config.modules,
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

/** The lines of a context: statements with filler put in, both in their own order. */
export function withFiller(
  shown: Shown,
  lines: readonly string[],
  entities: { readonly kind: EntityKind; readonly names: readonly string[] },
): readonly string[] {
  if (shown.fillerLines === 0 && shown.padTokens === 0) return lines
  const words = viewStream(shown, 'filler')
  const next = (): string =>
    shown.filler === 'entities' ? entityLine(words, entities.kind, entities.names) : proseLine(words)
  const extra: string[] = []
  for (let i = 0; i < shown.fillerLines; i++) extra.push(next())
  if (shown.padTokens > 0) {
    const count = tokenCounters[shown.tokenCounter] as (text: string) => number
    let have = count([...lines, ...extra].join('\n'))
    while (have < shown.padTokens) {
      // Counts of lines may add up to more than the count of the whole, so the whole is counted again at the end.
      while (have < shown.padTokens) {
        const line = next()
        have += count(`${line}\n`)
        extra.push(line)
      }
      have = count([...lines, ...extra].join('\n'))
    }
  }
  if (shown.fillerPosition === 'before') return [...extra, ...lines]
  if (shown.fillerPosition === 'after') return [...lines, ...extra]
  const isExtra = shuffle(viewStream(shown, 'places'), [...lines.map(() => false), ...extra.map(() => true)])
  let a = 0
  let b = 0
  return isExtra.map((filler) => (filler ? (extra[a++] as string) : (lines[b++] as string)))
}
