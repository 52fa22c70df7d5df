import type { DeclaredShortcut } from '../../../core/index.ts'

/** What answers earn that find no law of the item. */
export const cues = (): readonly DeclaredShortcut[] =>
  ['answerer/no-laws', 'answerer/most-frequent', 'answerer/best-constant'].map((probe) => ({
    probe,
    why: 'a word that no law of the item changes comes out without any law: the feature `unchanged` says how many do',
    gain: [0, 0.9],
  }))
