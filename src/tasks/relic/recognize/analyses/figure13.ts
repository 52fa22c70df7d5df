import { type Analysis, column, type Frame, figure, table } from '../../../../core/index.ts'
import { pairedDifference } from '../../../../libraries/statistics/index.ts'
import { tokensUsed } from '../../grammars/analyses/asked.ts'
import { byArm, needs, publishedResponses, type Responses } from './responses.ts'
import { byGrammar, clusteredAccuracy, PAPER, plain } from './tallies.ts'

/** Bars of the histogram of lengths. */
const BARS = 16

const { text, number, share, estimate } = column

/** How long are responses, and are truncated ones worse? */
export const figure13: Analysis = {
  id: 'relic/figure13',
  title: 'Lengths of responses, and accuracy of finished and truncated ones',
  source: { paper: PAPER, item: 'Figure 13' },
  notes: [
    'By the finish reason of the provider; the paper infers it from the token count, and its labels are swapped.',
    'Imported results without a finish reason: truncated if reasoning is not closed, in batches of a model that closes it at least once.',
    'Lengths: tokens counted by the provider; words, digits and signs of imported responses without a count; steps of baselines. Published parser.',
    'The difference is within grammars that have both.',
  ],
  needs: [...needs, 'finish_reason'],
  run(frame, options) {
    const data = publishedResponses(frame, options)
    const { codes, levels } = frame.category('finish_reason')
    const ended = (entries: Int32Array, reason: string) =>
      entries.filter((k) => levels[codes[data.row[k] as number] as number] === reason)
    const arms = byArm(data).map(({ model, entries }) => ({
      model,
      entries,
      finished: ended(entries, 'stop'),
      truncated: ended(entries, 'truncated'),
    }))
    const both = arms.filter(({ finished, truncated }) => finished.length > 0 && truncated.length > 0)
    const ends = table(
      'relic/figure13',
      'Finished against truncated responses',
      [
        text('model', 'Model'),
        number('finished', 'Finished'),
        number('truncated', 'Truncated'),
        estimate('accuracyFinished', 'Accuracy, finished'),
        estimate('accuracyTruncated', 'Accuracy, truncated'),
        number('grammars', 'Grammars with both'),
        estimate('difference', 'Finished − truncated, within grammars', null),
      ],
      both.map((arm) => withinGrammars(data, arm)),
    )
    const grammars = table(
      'relic/figure13-grammars',
      'Accuracy of each grammar, finished and truncated',
      [text('model', 'Model'), text('grammar', 'Grammar'), text('end', 'Response'), share('accuracy', 'Accuracy')],
      both.flatMap(({ model, ...of }) =>
        (['finished', 'truncated'] as const).flatMap((end) =>
          [...byGrammar(data, of[end])].map(([grammar, inside]) => ({
            model,
            grammar: data.grammars[grammar] ?? '',
            end,
            accuracy: plain(data, inside),
          })),
        ),
      ),
    )
    const lengths = table(
      'relic/figure13-lengths',
      'Responses by length',
      [
        text('model', 'Model'),
        number('upTo', 'Completion tokens, up to'),
        number('responses', 'Responses'),
        share('share', 'Share of responses'),
      ],
      histogram(frame, data, arms),
    )
    return {
      tables: [ends, grammars, lengths],
      figures: [
        figure(lengths, {
          id: 'relic/figure13-top',
          x: { key: 'upTo', scale: 'category' },
          y: 'share',
          facet: 'model',
          marks: [{ kind: 'bar' }],
        }),
        figure(grammars, {
          id: 'relic/figure13-bottom',
          title: 'Accuracy of grammars by how responses ended',
          x: { key: 'end', scale: 'category' },
          y: 'accuracy',
          facet: 'model',
          marks: [{ kind: 'point' }],
        }),
      ],
    }
  },
}

interface Arm {
  readonly model: string
  readonly entries: Int32Array
  readonly finished: Int32Array
  readonly truncated: Int32Array
}

function withinGrammars(data: Responses, { model, finished, truncated }: Arm) {
  const [a, b] = [byGrammar(data, finished), byGrammar(data, truncated)]
  const both = [...a.keys()].filter((grammar) => b.has(grammar))
  const accuracies = (part: ReadonlyMap<number, Int32Array>) =>
    both.map((grammar) => plain(data, part.get(grammar) as Int32Array) as number)
  return {
    model,
    finished: finished.length,
    truncated: truncated.length,
    accuracyFinished: clusteredAccuracy(data, finished),
    accuracyTruncated: clusteredAccuracy(data, truncated),
    grammars: both.length,
    difference: pairedDifference(accuracies(a), accuracies(b), both)?.difference ?? null,
  }
}

/** Responses by length, in the same bars for all models: of one width, or doubling where the longest are far from the middle ones. */
function histogram(frame: Frame, data: Responses, arms: readonly Arm[]) {
  const used = tokensUsed(frame)
  const counted = arms.map(({ model, entries }) => ({
    model,
    counts: [...entries].map((k) => used[data.row[k] as number] as number).filter((count) => !Number.isNaN(count)),
  }))
  const all = counted.flatMap(({ counts }) => counts).sort((a, b) => a - b)
  const most = all.at(-1) ?? 0
  if (most === 0) return []
  const [least, middle] = [all.find((count) => count > 0) as number, all[all.length >> 1] as number]
  const width = Math.ceil(most / BARS)
  const edges =
    most > FAR * middle
      ? powersOfTwo(least, most)
      : Array.from({ length: Math.ceil(most / width) }, (_, bar) => (bar + 1) * width)
  return counted.flatMap(({ model, counts }) => {
    if (counts.length === 0) return []
    const bars = Map.groupBy(counts, (count) => edges.find((edge) => count <= edge))
    return edges.map((upTo) => {
      const responses = bars.get(upTo)?.length ?? 0
      return { model, upTo, responses, share: responses / counts.length }
    })
  })
}

/** The longest response by the middle one from which bars double: of one width, nearly all would be in the first. */
const FAR = 50

/** Powers of two from the first that is no less than `least` to the first that is no less than `most`. */
function powersOfTwo(least: number, most: number): readonly number[] {
  const first = Math.ceil(Math.log2(least))
  return Array.from({ length: Math.ceil(Math.log2(most)) - first + 1 }, (_, k) => 2 ** (first + k))
}
