import type { Stream } from '../../../core/index.ts'
import { between, pick } from '../../../core/index.ts'
import type { Classifier } from '../../../libraries/rewriting/index.ts'

/** Where left sides come from: the published texts and code describe three different samplers. */
export type LeftSides = 'intermediate' | 'initial' | 'alphabet'

/** The distribution of words and rules. Sides and words are counted in letters, every letter is one UTF-16 unit. */
export interface Setting {
  readonly words: number
  readonly wordLength: readonly [min: number, max: number]
  readonly letters: readonly string[]
  readonly side: readonly [min: number, max: number]
  readonly emptyRight: boolean
  readonly leftSides: LeftSides
  /** How many words every rule must change; max null: no limit. */
  readonly changed: { readonly min: number; readonly max: number | null }
  readonly classifier: Classifier
  /** Is a cascade kept only if fewer rules are proved not to give its outputs? */
  readonly minimal: boolean
}

/** Word pairs with the cascade that was planted. */
export interface Instance {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly rules: readonly (readonly [left: string, right: string])[]
}

function text(stream: Stream, letters: readonly string[], length: number): string {
  let out = ''
  for (let n = length; n > 0; n--) out += pick(stream, letters)
  return out
}

/** Words with independent uniform lengths and letters; equal words are allowed, as published. */
export function drawWords(stream: Stream, setting: Setting): string[] {
  const [low, high] = setting.wordLength
  return Array.from({ length: setting.words }, () => text(stream, setting.letters, between(stream, low, high)))
}

/** A right side: uniform length, then uniform letters. */
export function drawRight(stream: Stream, setting: Setting): string {
  const [low, high] = setting.side
  return text(stream, setting.letters, between(stream, setting.emptyRight ? 0 : low, high))
}
