import type { Rule } from '../../../../libraries/rewriting/index.ts'

/** Orders of more rules than this are not listed: 6 rules have 720. */
export const LISTED_UP_TO = 5

/** An order as a response gives it. */
export const listed = (order: readonly number[]): string => `\`\`\`json\n[${order.join(', ')}]\n\`\`\``

/** The numbers of the rules by the texts of left and right side, in code units; equal rules as they are shown. */
export function alphabetical(rules: readonly Rule[]): readonly number[] {
  const texts = rules.map(([left, right]) => `${left} ${right}`)
  return [...rules.keys()].sort((a, b) => compare(texts[a] as string, texts[b] as string) || a - b)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * All orders of up to five rules, none of more. They come sorted by the texts of the rules, so that the place of an
 * order in the list says something about the rules and nothing about how they are shown.
 */
export function allOrders(rules: readonly Rule[]): readonly (readonly number[])[] {
  if (rules.length > LISTED_UP_TO) return []
  const grow = (order: readonly number[], rest: readonly number[]): readonly (readonly number[])[] =>
    rest.length === 0
      ? [order]
      : rest.flatMap((k) =>
          grow(
            [...order, k],
            rest.filter((other) => other !== k),
          ),
        )
  return grow([], alphabetical(rules))
}
