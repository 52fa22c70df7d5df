import { parseLaw, type SoundLaw } from '../../../../libraries/rewriting/sounds/index.ts'
import written from './natural-laws.json' with { type: 'json' }

/** Laws that ran one after the other, with a word of a language that has them. */
export interface NaturalChange {
  readonly laws: readonly SoundLaw[]
  readonly example: string
}

/** Changes of one kind. */
interface Kind {
  readonly kind: string
  readonly changes: readonly NaturalChange[]
}

function lawOf(text: string): SoundLaw {
  const read = parseLaw(text)
  if (read.kind === 'none') throw new TypeError(`${text}: ${read.reason}`)
  return read.law
}

function changeOf(line: string): NaturalChange {
  const [laws = '', example = ''] = line.split(' = ')
  return { laws: laws.split(' ; ').map(lawOf), example }
}

/**
 * Changes that languages have had, in the environments that they need, by kind, so that kinds are drawn equally often however many
 * changes each has. Each is one law, or a chain of laws (`;`) where the first one alone would merge a class or leave what no
 * language keeps.
 */
export const naturalChanges: readonly Kind[] = Object.entries(written).map(([kind, lines]) => ({
  kind,
  changes: lines.map(changeOf),
}))
