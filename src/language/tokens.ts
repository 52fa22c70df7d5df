/** Estimates how many tokens a text is. Pure; the same on every platform. */
export type TokenCounter = (text: string) => number

/** Counters by name. `characters`: a quarter of the characters. `words`: pieces between spaces. `pieces`: words cut every six letters plus one for each mark. */
export const tokenCounters: { readonly [name: string]: TokenCounter } = {
  characters: (text) => Math.ceil(text.length / 4),
  words: (text) => text.split(/\s+/).filter((word) => word !== '').length,
  pieces: (text) => {
    let count = 0
    for (const part of text.match(/[A-Za-z]+|[0-9]|[^\sA-Za-z0-9]/g) ?? []) count += Math.ceil(part.length / 6)
    return count
  },
}
