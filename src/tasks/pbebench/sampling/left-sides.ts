import { below, between, type Stream, weighted } from '../../../core/index.ts'
import { countOverlapping } from '../../../libraries/rewriting/index.ts'
import type { Setting } from './settings.ts'

/** Words as one text, so that a rule is one replacement and a substring is counted by one scan. */
export type Corpus = string

export const BREAK = '\n'
export const corpusOf = (words: readonly string[]): Corpus => words.join(BREAK)
export const wordsOf = (corpus: Corpus): readonly string[] => corpus.split(BREAK)

/** Maximum rejections per draw: no left side of that length, or none that changes enough words. */
const TRIES = 400

/**
 * A left side; null: none found. `intermediate` draws a length (unless given), then one of the distinct substrings of
 * the current words; `initial` a length and a substring of the inputs; `alphabet` any text. Left sides that change too
 * few or too many words are rejected.
 */
export function drawLeft(
  stream: Stream,
  now: Corpus,
  inputs: Corpus,
  setting: Setting,
  length?: number,
): string | null {
  const { leftSides, side } = setting
  if (leftSides === 'alphabet') return drawText(stream, now, setting)
  let size = length ?? between(stream, ...side)
  for (let tries = 0; tries < TRIES; tries++) {
    const left = drawSubstring(stream, leftSides === 'initial' ? inputs : now, size)
    if (left === null) return null
    if (changesEnough(now, left, setting)) return left
    if (leftSides === 'initial') size = between(stream, ...side)
  }
  return null
}

/**
 * Uniform over the distinct substrings of one length: a uniform place, kept with probability 1 over the number of
 * places where its text stands.
 */
function drawSubstring(stream: Stream, corpus: Corpus, length: number): string | null {
  const places = corpus.length - length + 1
  if (places < 1) return null
  for (let tries = 0; tries < TRIES; tries++) {
    const at = below(stream, places)
    const stop = corpus.indexOf(BREAK, at)
    if (stop !== -1 && stop < at + length) continue
    const part = corpus.slice(at, at + length)
    if (below(stream, countOverlapping(corpus, part)) === 0) return part
  }
  return null
}

/** Replacing a left side by another text changes every word that holds it. */
function changesEnough(corpus: Corpus, left: string, { changed: { min, max } }: Setting): boolean {
  if (min === 1 && max === null) return corpus.includes(left)
  let words = 0
  for (let at = corpus.indexOf(left); at !== -1; ) {
    words++
    const next = corpus.indexOf(BREAK, at)
    if (next === -1) break
    at = corpus.indexOf(left, next)
  }
  return words >= min && (max === null || words <= max)
}

/**
 * Any text, given that it changes enough words. Hardly any long text does, so the texts that do are listed: each has
 * probability 1 / (lengths * letters ** its length), and the lengths are weighted accordingly.
 */
function drawText(stream: Stream, now: Corpus, setting: Setting): string | null {
  const [low, high] = setting.side
  const lists: string[][] = []
  for (let length = low; length <= high; length++) {
    const found = new Set<string>()
    for (const word of wordsOf(now))
      for (let at = 0; at + length <= word.length; at++) found.add(word.slice(at, at + length))
    lists.push([...found].filter((part) => changesEnough(now, part, setting)))
  }
  let scale = 1
  const weights: number[] = []
  for (let k = lists.length - 1; k >= 0; k--) {
    weights[k] = (lists[k] as string[]).length * scale
    scale *= setting.letters.length
  }
  if (weights.every((weight) => weight === 0)) return null
  const texts = lists[weighted(stream, weights)] as string[]
  return texts[below(stream, texts.length)] as string
}
