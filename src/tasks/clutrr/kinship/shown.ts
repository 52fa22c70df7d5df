import { enc, sha256 } from '../../../core/hash.ts'
import { pick, shuffle } from '../../../core/random.ts'
import { streamFromKey } from '../../../core/streams.ts'
import type { Fact, Facts, Shared } from './question.ts'

/** The sentences in the order in which they are shown. */
export function shownFacts(shared: Shared, { facts }: Facts): readonly Fact[] {
  if (shared.order === 'along') return facts
  return shuffle(streamFromKey(sha256(enc('clutrr/view/1', ...shared.view, 'order'))), facts)
}

const sentences: readonly ((who: string, word: string, of: string) => string)[] = [
  (who, word, of) => `${who} is ${of}'s ${word}.`,
  (who, word, of) => `${who} is the ${word} of ${of}.`,
  (who, word, of) => `${of} went for a walk with ${who}, ${of}'s ${word}.`,
  (who, word, of) => `${of} rang up ${who}, who is ${of}'s ${word}.`,
  (who, word, of) => `A letter came for ${of} from ${who}, ${of}'s ${word}.`,
]

/** The story: one sentence a fact, in words that the view picks. */
export function storyOf(shared: Shared, given: Facts): readonly string[] {
  const stream = streamFromKey(sha256(enc('clutrr/view/1', ...shared.view, 'sentences')))
  return shownFacts(shared, given).map(([who, word, of]) =>
    pick(stream, sentences)(given.people[who] as string, word, given.people[of] as string),
  )
}
