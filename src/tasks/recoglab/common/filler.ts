import type { z } from 'zod'
import { hint, UsageError } from '../../../core/errors.ts'
import { pick, shuffle } from '../../../core/random.ts'
import { type EntityKind, entityFiller, proseFiller } from '../../../libraries/language/filler.ts'
import type { TokenCounters } from '../../../libraries/language/tokens.ts'
import { dealer } from './deal.ts'
import { type Presentation, type Shown, viewStream } from './presentation.ts'

/** A config whose knobs of filler agree, and that may name one of these counters and no other. */
export const presentable = <C extends Presentation>(config: z.ZodType<C>, counters: TokenCounters): z.ZodType<C> =>
  config.superRefine(({ filler, fillerLines, padTokens, tokenCounter }, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (filler === 'none') {
      const asked = fillerLines > 0 ? 'fillerLines' : padTokens > 0 ? 'padTokens' : null
      if (asked !== null) wrong(asked, `set filler to the kind of sentences to add, such as "prose", or ${asked} to 0`)
    } else if (fillerLines === 0 && padTokens === 0)
      wrong('filler', `set fillerLines or padTokens to say how much "${filler}" to add`)
    if (Object.hasOwn(counters, tokenCounter)) return
    const known = Object.keys(counters)
    wrong(
      'tokenCounter',
      `there is no token counter "${tokenCounter}"${hint(tokenCounter, known)}; there are ${known.join(', ')}; load the plugin that brings another (\`plugins\`)`,
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
  const pattern = dealer(words, aboutEntities ? entityFiller[entities.kind] : proseFiller)
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

/** Sentences until the whole has as many tokens as asked for. @throws UsageError where a counter does not count on */
function padding(
  { padTokens, tokenCounter }: Shown,
  lines: readonly string[],
  next: () => string,
  counters: TokenCounters,
): readonly string[] {
  const count = counters[tokenCounter] as (text: string) => number
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
          `the token counter ${tokenCounter} finds fewer than ${padTokens} tokens in ${extra.length} sentences; is it one of tokens?`,
        )
    }
  }
  return extra
}
