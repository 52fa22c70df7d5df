import { type Importer, importProblem } from '../../../core/index.ts'
import { wordText } from '../../../libraries/rewriting/sounds/index.ts'
import { readWordLists } from './sound-laws.ts'
import { lettersOf, pairItems } from './word-forms.ts'

/** What the paper says of the words that come with it. */
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
  describe: 'Real-SLI word lists: folders OLDER_YOUNGER with words.in and words.out, one word a line',
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
