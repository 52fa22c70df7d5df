/**
 * A token counter of your own, for contexts padded to a length in a model's own tokens: byte pairs, merged in the order
 * of a table, as many tokenizers do. The table here is a short one; with the package of a real tokenizer `count` is one
 * line, and its version is that of the package.
 *
 *     touchstone generate recoglab/social --plugin ./token-counter.ts --set filler=prose --set padTokens=8000 \
 *       --set tokenCounter=pairs@1 --count 100 --prompts --out data/long
 *     touchstone verify data/long --plugin ./token-counter.ts
 */
import type { TokenCounter } from '@touchstone-eval/touchstone/task'

/** The earlier, the sooner merged. */
const merges = ['th', 'in', 'er', 'an', 'the', ' the', 'on', 're', ' a', 'en', 'ing', 'and', ' and', 'ou', ' w', ' s']
const rank = new Map(merges.map((pair, i) => [pair, i]))

const tokensOfWord = new Map<string, number>()

function countWord(word: string): number {
  const known = tokensOfWord.get(word)
  if (known !== undefined) return known
  const parts = [...word]
  for (;;) {
    const ranks = parts.slice(1).map((part, i) => rank.get(`${parts[i]}${part}`) ?? merges.length)
    const least = Math.min(merges.length, ...ranks)
    if (least === merges.length) break
    parts.splice(ranks.indexOf(least), 2, merges[least] as string)
  }
  tokensOfWord.set(word, parts.length)
  return parts.length
}

const pairs: TokenCounter = {
  name: 'pairs',
  // Raise it with any change of the table: datasets name the counter with its version.
  version: '1',
  count: (text) => (text.match(/ ?[^\s]+|\s/g) ?? []).reduce((sum, word) => sum + countWord(word), 0),
}

export default pairs
