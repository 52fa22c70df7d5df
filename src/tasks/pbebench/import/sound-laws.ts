import {
  type FileTree,
  type Importer,
  importProblem,
  loneItem,
  MAX_LINE,
  UsageError,
  wholeText,
} from '../../../core/index.ts'
import { wordText } from '../../../libraries/rewriting/sounds/index.ts'
import { alignedPairs, chunked, type WordList } from '../sound-laws/word-pairs.ts'
import { lettersOf, pairItems } from './word-forms.ts'

/**
 * Word lists as configs of `pbebench/sound-laws`: every folder with `words.in` and `words.out` is one language pair, in
 * file order. Reading them through the task keeps the task's own proof that a cascade exists.
 */
export async function readWordLists(files: FileTree): Promise<readonly (WordList & { readonly path: string })[]> {
  const paths = new Set<string>()
  for await (const { path } of files.list()) paths.add(path)
  const out = []
  for (const path of [...paths].filter((name) => name.endsWith('words.in')).sort()) {
    const later = `${path.slice(0, -2)}out`
    if (!paths.has(later)) continue
    const name = path.split('/').at(-2) ?? path
    const [before, after] = [await wholeText(files.text(path)), await wholeText(files.text(later))]
    if (before === null || after === null)
      throw new UsageError(`${name}: a word list is longer than ${MAX_LINE} characters`)
    out.push({ name, path, pairs: alignedPairs(name, before, after) })
  }
  return out
}

/** Word lists as items without a known cascade's proof: the pairs as they are, in chunks of 50. */
export const importSoundLaws: Importer = {
  name: 'pbebench-sound-laws',
  task: 'pbebench/sound-laws',
  describe: 'Real-SLI word lists: folders with words.in and words.out, one word per line',
  async *read(files) {
    let words = 0
    for (const { name, pairs } of await readWordLists(files)) {
      for (const [chunk, part] of chunked(pairs, 50).entries()) {
        const [inputs, outputs] = [part.map(([a]) => a), part.map(([, b]) => b)]
        const changed = part.filter(([a, b]) => a !== b).length
        yield* loneItem(`${name}/${chunk}`, {
          given: { inputs, outputs, limits: { rules: 50, side: 5, letters: '', count: 'code-points' } },
          answer: { rules: [], heldOut: [] },
          features: {
            language: name,
            chunk,
            words: part.length,
            wordsChanged: changed,
            heldOut: 0,
            slack: 50 - changed,
          },
        })
        words += part.length
      }
    }
    yield { kind: 'count', name: 'words', add: words }
  },
}

/** The paper on the words in its release. */
const RELEASE = /(?:^|\/)real_sli\//u
const SOURCE = 'PBEBench, real sound laws: words of Naik et al. (2024, 2025a)'
const LICENCE = 'CC BY-SA 4.0, as the paper says; the release has no licence file'

/**
 * The word lists of a release as questions about laws between natural classes: every folder with `words.in` and `words.out` gives its words to one item, or
 * to several of the same size, with the laws that linguistics knows of the language.
 */
export const importSoundChange: Importer = {
  name: 'pbebench-sound-change',
  task: 'pbebench/sound-change',
  describe: 'Real-SLI word lists: folders OLDER_YOUNGER with words.in and words.out, one word per line',
  async *read(files) {
    for (const { name, path, pairs } of await readWordLists(files)) {
      const [older = name, younger = name] = name.split('_')
      const published = RELEASE.test(path)
      if (!published)
        yield importProblem('licence', path, null, 'says no licence: ask its makers before you pass it on')
      yield* pairItems({
        path,
        older,
        younger: younger.slice(0, 1).toUpperCase() + younger.slice(1),
        pairs: pairs.map(([before, after]) => ({ older: spelt(before), younger: [spelt(after)] })),
        source: published ? `${SOURCE}, ${name}` : path,
        licence: published ? LICENCE : 'not said',
      })
    }
  },
}

const spelt = (word: string): string => wordText(lettersOf(word))
