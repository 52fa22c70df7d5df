import { counterId, type TokenCounter } from '../../core/token-counter.ts'

/** Ways of counting tokens, by what a config calls them. Pure; the same on every platform. */
export type TokenCounters = { readonly [id: string]: (text: string) => number }

/** `characters`: a quarter of the characters. `words`: pieces between spaces. `pieces`: words cut every six letters plus one for each mark. */
export const tokenCounters: TokenCounters = {
  characters: (text) => Math.ceil(text.length / 4),
  words: (text) => text.split(/\s+/).filter((word) => word !== '').length,
  pieces: (text) => {
    let count = 0
    for (const part of text.match(/[A-Za-z]+|[0-9]|[^\sA-Za-z0-9]/g) ?? []) count += Math.ceil(part.length / 6)
    return count
  },
}

/** The built-in counters and further ones, these as `name@version`. */
export const countersWith = (more: readonly TokenCounter[]): TokenCounters => ({
  ...tokenCounters,
  ...Object.fromEntries(more.map((counter) => [counterId(counter), (text: string) => counter.count(text)])),
})
