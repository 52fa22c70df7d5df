import type { z } from 'zod'
import { hint, UsageError } from '../../../core/errors.ts'
import { below, pick, sample, sampleIndices, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { randomTree } from '../../../libraries/graphs/generate.ts'
import { type EntityKind, fillerOf } from '../../../libraries/language/filler.ts'
import { things } from '../../../libraries/language/objects.ts'
import { firstNames, surnames } from '../../../libraries/language/people.ts'
import type { TokenCounters } from '../../../libraries/language/tokens.ts'
import { counterOf, type Presentation, type Shown, sentencesOf, viewStream } from './presentation.ts'

/** A config whose parameters of filler agree, and that may name one of these counters and no other. */
export const presentable = <C extends Presentation>(config: z.ZodType<C>, counters: TokenCounters): z.ZodType<C> =>
  config.superRefine(({ filler, fillerText, fillerLines, padTokens, tokenCounter }, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (filler === 'none') {
      const asked = fillerLines > 0 ? 'fillerLines' : padTokens > 0 ? 'padTokens' : null
      if (asked !== null) wrong(asked, `set filler to the kind of sentences to add, such as "prose", or ${asked} to 0`)
    } else if (fillerLines === 0 && padTokens === 0)
      wrong('filler', `set fillerLines or padTokens to say how much "${filler}" to add`)
    const given = sentencesOf(fillerText)
    if ((filler === 'given') !== given.length > 0)
      wrong('fillerText', 'filler "given" and the sentences of fillerText go together')
    else if (filler === 'given' && given.length < fillerLines)
      wrong('fillerText', `expected at least ${fillerLines} different sentences, one a line, got ${given.length}`)
    if (Object.hasOwn(counters, tokenCounter)) {
      const tokens = filler === 'given' ? counterOf({ tokenCounter }, counters)(given.join('\n')) : padTokens
      if (tokens < padTokens)
        wrong('fillerText', `expected sentences of at least ${padTokens} tokens, got ${tokens}. Give more of them`)
      return
    }
    const known = Object.keys(counters)
    wrong(
      'tokenCounter',
      `unknown token counter "${tokenCounter}"${hint(tokenCounter, known)}; known: ${known.join(', ')}. For another, load its plugin (\`plugins\`)`,
    )
  })

/** The lines of a context: statements with filler put in, both in their own order. */
export function withFiller(
  shown: Shown,
  lines: readonly string[],
  entities: { readonly kind: EntityKind; readonly names: readonly string[] },
  counters: TokenCounters,
): readonly string[] {
  if (shown.fillerLines === 0 && shown.padTokens === 0) return lines
  const words = viewStream(shown, 'filler')
  const aboutEntities = shown.filler === 'entities'
  const pattern = shown.fillerText
    ? inTurn(shown.fillerText)
    : shuffledCycle(words, ...fillerOf(aboutEntities ? entities.kind : 'prose'))
  const next = (): string => (aboutEntities ? pattern().replace('{a}', () => pick(words, entities.names)) : pattern())
  const extra: string[] = []
  for (let i = 0; i < shown.fillerLines; i++) extra.push(next())
  if (shown.padTokens > 0) extra.push(...padding(shown, [...lines, ...extra], next, counters))
  if (shown.fillerPosition === 'before') return [...extra, ...lines]
  if (shown.fillerPosition === 'after') return [...lines, ...extra]
  const isExtra = shuffle(viewStream(shown, 'places'), [...lines.map(() => false), ...extra.map(() => true)])
  let a = 0
  let b = 0
  return isExtra.map((filler) => (filler ? (extra[a++] as string) : (lines[b++] as string)))
}

/** Sentences until the context has the requested number of tokens. @throws UsageError where a counter stops growing */
function padding(
  shown: Shown,
  lines: readonly string[],
  next: () => string,
  counters: TokenCounters,
): readonly string[] {
  const { padTokens, tokenCounter } = shown
  const count = counterOf(shown, counters)
  const extra: string[] = []
  const whole = (): number => count([...lines, ...extra].join('\n'))
  for (let have = whole(); have < padTokens; have = whole()) {
    // Counts of lines may add up to more than the count of the whole, so the whole is counted again at the end.
    while (have < padTokens) {
      const line = next()
      have += count(`${line}\n`)
      extra.push(line)
      // Every sentence has a token at least; without this line a counter that gives 0 would never be content.
      if (extra.length > padTokens)
        throw new UsageError(
          `the token counter ${tokenCounter} finds fewer than ${padTokens} tokens in ${extra.length} sentences. Does it count tokens?`,
        )
    }
  }
  return extra
}

/** Gives the entries of the first list in random order, then those of the next; none again before all have been given. */
export function shuffledCycle<T>(stream: Stream, ...lists: readonly (readonly T[])[]): () => T {
  let left: T[] = []
  let round = 0
  return () => {
    if (left.length === 0) left = shuffle(stream, lists[round++ % lists.length] as readonly T[])
    return left.pop() as T
  }
}

function inTurn<T>(list: readonly T[]): () => T {
  let next = 0
  return () => list[next++ % list.length] as T
}

/** Number of people or things a further context speaks of. */
const SIZE = 8

/**
 * The lines of the further contexts a question asks for, each about entities that the question itself does not
 * mention, so that they cannot bear on its answer.
 */
export function moduleLines(shown: Shown, mask: number, taken: readonly string[]): readonly string[] {
  const used = new Set(taken)
  return shown.modules.flatMap((kind, i) => {
    const stream = viewStream(shown, `module ${i}`)
    return makers[kind](
      stream,
      (list, k) => {
        const free = list.filter((word) => !used.has(word))
        const chosen = sample(stream, free, Math.min(k, free.length))
        for (const word of chosen) used.add(word)
        return chosen
      },
      mask,
    )
  })
}

type Take = (list: readonly string[], k: number) => string[]

const makers: {
  readonly [kind in Shown['modules'][number]]: (stream: Stream, take: Take, mask: number) => readonly string[]
} = {
  comparison(stream, take, mask) {
    const names = take(
      things.of(mask).map((thing) => thing.name),
      SIZE,
    )
    const lines = names.slice(1).map((name, i) => `The ${names[i]} costs less than the ${name}.`)
    return shuffle(stream, lines)
  },
  social(stream, take, mask) {
    const names = take(firstNames.of(mask), SIZE)
    const tree = randomTree(stream, names.length)
    return shuffle(stream, tree.edges).map(([u, v]) => `${names[u]} lives next door to ${names[v]}.`)
  },
  syllogism(stream, take, mask) {
    const names = take(surnames.of(mask), 4)
    const moods = ['All', 'No', 'Some']
    return names
      .slice(1)
      .map((name, i) => `${pick(stream, moods)} members of the ${names[i]} club are members of the ${name} club.`)
  },
  families(stream, take, mask) {
    const [surname] = take(surnames.of(mask), 1)
    const names = take(firstNames.of(mask), 3)
    const rooms = sampleIndices(stream, 9, names.length)
    return names.map(
      (name, i) =>
        `{"Guest": "${name} ${surname}", "Room": ${100 + (rooms[i] as number)}, "Nights": ${1 + below(stream, 9)}}`,
    )
  },
}
