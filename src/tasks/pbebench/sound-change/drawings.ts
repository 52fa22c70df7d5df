import type { Json } from '../../../core/index.ts'
import { historyOf, parseLaw, wordOf, wordText } from '../../../libraries/rewriting/sounds/index.ts'
import type { Answer, Given } from './question.ts'

/** For each younger language the words shown, after each law. */
export function drawings({ languages, words }: Given, { laws }: Answer): readonly Json[] {
  return languages.map((name, k) => {
    const texts = laws[k] ?? []
    const read = texts.map(parseLaw).flatMap((one) => (one.kind === 'law' ? [one.law] : []))
    return {
      kind: 'steps',
      title: `${name}: words after each law`,
      steps: ['older', ...texts],
      rows: words.map(({ older }) =>
        historyOf(read, wordOf(older)).map((word) => (word === null ? '' : wordText(word))),
      ),
      links: words.map(({ older }, i) => ({ text: `${older} |`, parts: [`row/${i}`] })),
    }
  })
}
