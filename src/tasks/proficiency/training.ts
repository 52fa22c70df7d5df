import {
  bucketsOfSplit,
  type Exporter,
  enc,
  LruCache,
  maxPartitionRetries,
  partitionBucket,
  type Stream,
  sha256,
  streamFromKey,
  UsageError,
} from '../../core/index.ts'
import type { Config } from './discriminate/config.ts'
import type { Plan, Shared } from './discriminate/types.ts'
import { joinTokens } from './format.ts'
import { type Language, languageOf, sampleText } from './languages/compiled.ts'
import { fenceDomain, stringKey } from './languages/make.ts'
import { trainingSizes } from './languages/spec.ts'
import recipe from './released-recipe.json' with { type: 'json' }

export const maxTrainingSet = 1024

const sets = new LruCache<readonly string[], string>(64)

/**
 * The first `size` strings of the language's training set in a repetition: i.i.d. strings of the train region, the same
 * for every seed, so that a model trained on an export meets no test string of any run. Sets are nested: size 8 begins
 * size 16.
 */
export function trainingTexts(
  {
    grammar: own,
    learnt: grammar = own,
    fenced,
    repetition,
  }: Pick<Shared, 'grammar' | 'learnt' | 'fenced' | 'repetition'>,
  size: number,
): readonly string[] {
  if (size > maxTrainingSet)
    throw new UsageError(`training sets have at most ${maxTrainingSet} strings, asked for ${size}`)
  const all = sets.get(`${repetition}\n${grammar}`, () => {
    const stream = streamFromKey(sha256(enc('touchstone/proficiency/training/1', grammar, repetition)))
    return trainRegion(languageOf(grammar), fenced, maxTrainingSet, stream)
  })
  return all.slice(0, size)
}

/** Independent strings of the train region, repeats allowed; fewer than `count` where too few of the language lie there. */
export function trainRegion(
  language: Language,
  fenced: Shared['fenced'],
  count: number,
  stream: Stream,
): readonly string[] {
  const train = bucketsOfSplit('train')
  const out: string[] = []
  const most = (count + 1) * maxPartitionRetries('train')
  for (let tries = 0; out.length < count && tries < most; tries++) {
    const text = sampleText(language, stream)
    if (fenced === 'grammar' || train.includes(partitionBucket(fenceDomain, stringKey(text)))) out.push(text)
  }
  return out
}

/**
 * Nested training sets of a config's languages, as text (in the config's format, for base models) and as chat JSONL
 * (one conversation per string): `<language>-r<repetition>-<size>.txt` and `.jsonl`. All strings lie in the train
 * partition, so none is a test string of any seed; random languages are those of the train split. `recipe.json` says how the released code trains.
 */
export const trainingExporter: Exporter<Config, Plan> = {
  describe: 'nested sets of 1 to 1024 strings of each language, as text and chat JSONL; how the released code trains',
  split: 'train',
  *files({ format, repetitions }, { languages }) {
    yield { path: 'recipe.json', text: `${JSON.stringify(recipe, null, 2)}\n` }
    // A language that is learnt for several others is written once.
    for (const [name, { grammar: own, learnt: grammar = own, fenced }] of new Map(
      languages.map((one) => [one.learntName ?? one.name, one]),
    ))
      for (let repetition = 0; repetition < repetitions; repetition++)
        for (const size of trainingSizes) {
          const texts = trainingTexts({ grammar, fenced, repetition }, size).map((text) =>
            joinTokens(text, format.separator),
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
