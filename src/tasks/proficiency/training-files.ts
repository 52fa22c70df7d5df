import type { Exporter } from '../../core/index.ts'
import type { Config } from './discriminate/config.ts'
import type { Plan } from './discriminate/types.ts'
import { written } from './format.ts'
import { trainingSizes, trainingTexts } from './training.ts'

/**
 * Nested training sets of a config's languages, as text (opening and terminators as the config's format says: what a base
 * model is trained on) and as chat JSONL (one conversation a string): `<language>-r<repetition>-<size>.txt` and `.jsonl`. All
 * strings lie in the train region of the fence, so none is a test string of any seed; random languages are those of the
 * train split.
 */
export const trainingExporter: Exporter<Config, Plan> = {
  describe: 'nested training sets of 1, 2, 4, .. 1024 strings of each language, as text and as chat JSONL',
  split: 'train',
  *files({ format, repetitions }, { languages }) {
    for (const { name, grammar, fenced } of languages)
      for (let repetition = 0; repetition < repetitions; repetition++)
        for (const size of trainingSizes) {
          const texts = trainingTexts({ grammar, fenced, repetition }, size).map((text) =>
            written(text, format.separator),
          )
          const path = `${name}-r${repetition}-${size}`
          yield {
            path: `${path}.txt`,
            text: format.opening + texts.map((text) => text + format.terminator).join(''),
          }
          yield { path: `${path}.jsonl`, text: texts.map((text) => `${JSON.stringify(chat(text))}\n`).join('') }
        }
  },
}

const chat = (text: string) => ({
  messages: [
    { role: 'user', content: 'Write one string of the language.' },
    { role: 'assistant', content: text },
  ],
})
