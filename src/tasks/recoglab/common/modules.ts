import { below, pick, sample, sampleIndices, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { randomTree } from '../../../libraries/graphs/generate.ts'
import { things } from '../../../libraries/language/objects.ts'
import { firstNames, surnames } from '../../../libraries/language/people.ts'
import { type Shown, viewStream } from './presentation.ts'

/** How many people or things a further context speaks of. */
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
