import { type JsonObject, UsageError } from '../../core/index.ts'
import { discriminate } from './discriminate/task.ts'
import type { Plan, Shared } from './discriminate/types.ts'
import { written } from './format.ts'
import { largestTrainingSet, trainingTexts } from './training.ts'

export interface TrainingFile {
  /** `<language>-r<repetition>-<size>.txt` or `.jsonl` */
  readonly path: string
  readonly text: string
  readonly language: string
  readonly repetition: number
  readonly size: number
}

/** 1, 2, 4, .. 1024 */
export const trainingSizes: readonly number[] = Array.from({ length: 11 }, (_, i) => 1 << i)

/**
 * Nested training sets of a config's languages, as text (opening and terminators as the config's format says: what a base
 * model is trained on) and as chat JSONL (one conversation a string). All strings lie in the train region of the fence, so
 * none is a test string of any seed. `config` is one of proficiency/discriminate.
 * @throws UsageError for sizes that training sets do not have
 */
export function* trainingFiles(
  config: JsonObject,
  seed: string,
  sizes: readonly number[] = trainingSizes,
): Generator<TrainingFile> {
  for (const size of sizes)
    if (!Number.isInteger(size) || size < 1 || size > largestTrainingSet)
      throw new UsageError(`training sets have 1..${largestTrainingSet} strings, got ${size}`)
  const parsed = discriminate.configure(config)
  const source = discriminate.source(parsed, { split: 'train', seed })
  const { languages } = source.plan as Plan
  const format = parsed['format'] as Shared['format']
  const repetitions = parsed['repetitions'] as number
  for (const { name, grammar, fenced } of languages)
    for (let repetition = 0; repetition < repetitions; repetition++)
      for (const size of sizes) {
        const texts = trainingTexts({ grammar, fenced, repetition }, size).map((text) =>
          written(text, format.separator),
        )
        const file = { language: name, repetition, size }
        const path = `${name}-r${repetition}-${size}`
        yield {
          ...file,
          path: `${path}.txt`,
          text: format.opening + texts.map((text) => text + format.terminator).join(''),
        }
        yield { ...file, path: `${path}.jsonl`, text: texts.map((text) => `${JSON.stringify(chat(text))}\n`).join('') }
      }
}

const chat = (text: string) => ({
  messages: [
    { role: 'user', content: 'Write one string of the language.' },
    { role: 'assistant', content: text },
  ],
})
