import { type FileTree, type PaperSource, UsageError } from '../../../core/index.ts'
import type { Given } from '../sound-change/question.ts'
import { readWordLists } from './sound-laws.ts'
import { importCldf, importEdictor } from './word-lists.ts'

type Pair = readonly [earlier: string, later: string]

/** Sounds as one word. */
const spelt = (word: string): string => word.replaceAll(' ', '')

/**
 * Real words of a folder as a source of `pbebench/sound-laws` with the limits of the paper: folders with `words.in` and `words.out` as
 * released, or lists of CLDF or EDICTOR with a language called Proto- or named in `ancestors`.
 *
 * @throws UsageError where the folder has no such words
 */
export async function realWords(files: FileTree, ancestors?: readonly string[]): Promise<PaperSource> {
  const languages = new Map<string, readonly Pair[]>()
  const add = (name: string, pairs: readonly Pair[]): Map<string, readonly Pair[]> =>
    languages.set(name, [...(languages.get(name) ?? []), ...pairs])
  for (const { name, pairs } of await readWordLists(files)) add(name, pairs)
  const problems: string[] = []
  for (const { read } of [importCldf, importEdictor])
    for await (const found of read(files, ancestors)) {
      if (found.kind === 'problem') problems.push(`${found.path}: ${found.message}`)
      if (found.kind !== 'item') continue
      const { words, unseen } = found.given as unknown as Given
      const pairs = [...words, ...unseen].map(({ older, younger }): Pair => [spelt(older), spelt(younger[0] ?? '')])
      add(String(found.features['language']), pairs)
    }
  if (languages.size === 0)
    throw new UsageError(
      ['expected folders with words.in and words.out, or word lists of CLDF or EDICTOR', ...problems].join('\n'),
    )
  const pairsOf = ([name, pairs]: readonly [string, readonly Pair[]]) => ({
    name,
    pairs: pairs.map((pair) => [...pair]),
  })
  return { task: 'pbebench/sound-laws', config: { languages: [...languages].map(pairsOf) } }
}
