import { type Analysis, column, type Figure, type Frame, type Table } from '../../../../core/index.ts'
import { pairedDifference } from '../../../../libraries/statistics/index.ts'
import { byGrammar, clusteredAccuracy, plain } from './cells.ts'
import { PAPER } from './paper.ts'
import { byArm, needs, publishedResponses, type Responses } from './responses.ts'
import { spentIn } from './spent.ts'

/** Bars of the histogram of lengths. */
const BARS = 16

/** How long are responses, and are those that ran into the token limit worse? */
export const figure13: Analysis = {
  id: 'relic/figure13',
  title: 'Lengths of responses, and accuracy of finished and truncated ones',
  source: { paper: PAPER, item: 'Figure 13' },
  notes: [
    'By what the provider said about the end of a response; the paper guesses from the token count, and its labels are the wrong way round.',
    'Imported results without such a word: in a batch of a model that closes its reasoning at least once, a response that does not close it was cut off.',
    'Lengths are the tokens that a provider counted, of embedded models their steps.',
    'Answers as the published parser reads them. The difference is taken inside grammars that have both, with a clustered interval.',
  ],
  needs: [...needs, 'finish'],
  run(frame, options) {
    const data = publishedResponses(frame, options)
    const ends = byArm(data).map(({ model, entries }) => ({ model, entries, ...endsOf(frame, data, entries) }))
    const rows = ends.flatMap(({ model, finished, truncated }) => split(data, model, finished, truncated))
    const lengths = lengthsOf(frame, data, ends)
    const table: Table = {
      id: 'relic/figure13',
      title: 'Finished against truncated responses',
      columns: [
        column.text('model', 'Model'),
        column.number('finished', 'Finished'),
        column.number('truncated', 'Truncated'),
        column.estimate('accuracyFinished', 'Accuracy, finished'),
        column.estimate('accuracyTruncated', 'Accuracy, truncated'),
        column.number('grammars', 'Grammars with both'),
        column.estimate('difference', 'Finished - truncated, inside grammars', null),
      ],
      rows,
    }
    const grammars: Table = {
      id: 'relic/figure13-grammars',
      title: 'Accuracy of each grammar, finished and truncated',
      columns: [
        column.text('model', 'Model'),
        column.text('grammar', 'Grammar'),
        column.text('end', 'Response'),
        column.share('accuracy', 'Accuracy'),
      ],
      rows: ends.flatMap(({ model, finished, truncated }) =>
        finished.length === 0 || truncated.length === 0
          ? []
          : [
              ...ofGrammars(data, finished).map((row) => ({ model, ...row, end: 'finished' })),
              ...ofGrammars(data, truncated).map((row) => ({ model, ...row, end: 'truncated' })),
            ],
      ),
    }
    return {
      tables: [...(rows.length === 0 ? [] : [table, grammars]), ...(lengths === null ? [] : [lengths])],
      figures: [...(lengths === null ? [] : [TOP]), ...(rows.length === 0 ? [] : [BOTTOM])],
    }
  },
}

const TOP: Figure = {
  id: 'relic/figure13-top',
  title: 'Responses by their length',
  table: 'relic/figure13-lengths',
  x: { key: 'upTo', label: 'Completion tokens, up to', scale: 'category' },
  y: { key: 'share', label: 'Share of responses', unit: 'share' },
  facet: 'model',
  marks: [{ kind: 'bar' }],
}

const BOTTOM: Figure = {
  id: 'relic/figure13-bottom',
  title: 'Accuracy of grammars by how responses ended',
  table: 'relic/figure13-grammars',
  x: { key: 'end', label: 'Response', scale: 'category' },
  y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
  facet: 'model',
  marks: [{ kind: 'point' }],
}

function endsOf(frame: Frame, data: Responses, entries: Int32Array) {
  const { codes, levels } = frame.category('finish')
  const ended = (name: string) => entries.filter((k) => levels[codes[data.row[k] as number] as number] === name)
  return { finished: ended('stop'), truncated: ended('truncated') }
}

const ofGrammars = (data: Responses, entries: Int32Array) =>
  [...byGrammar(data, entries)].map(([grammar, inside]) => ({
    grammar: data.grammars[grammar] ?? '',
    accuracy: plain(data, inside),
  }))

function split(data: Responses, model: string, finished: Int32Array, truncated: Int32Array) {
  if (finished.length === 0 || truncated.length === 0) return []
  const [a, b] = [byGrammar(data, finished), byGrammar(data, truncated)]
  const both = [...a.keys()].filter((grammar) => b.has(grammar))
  const of = (part: ReadonlyMap<number, Int32Array>) =>
    both.map((grammar) => plain(data, part.get(grammar) as Int32Array) as number)
  return [
    {
      model,
      finished: finished.length,
      truncated: truncated.length,
      accuracyFinished: clusteredAccuracy(data, finished),
      accuracyTruncated: clusteredAccuracy(data, truncated),
      grammars: both.length,
      difference: pairedDifference(of(a), of(b), both)?.difference ?? null,
    },
  ]
}

/** How many responses are how long: bars of one width for all models. null: nobody counted. */
function lengthsOf(
  frame: Frame,
  data: Responses,
  arms: readonly { readonly model: string; readonly entries: Int32Array }[],
): Table | null {
  const spent = spentIn(frame)
  const known = arms.map(({ model, entries }) => ({
    model,
    spent: [...entries].map((k) => spent[data.row[k] as number] as number).filter((count) => !Number.isNaN(count)),
  }))
  const most = known.reduce((most, arm) => arm.spent.reduce((high, count) => Math.max(high, count), most), 0)
  if (most === 0) return null
  const width = Math.ceil(most / BARS)
  const rows = known.flatMap(({ model, spent: counts }) => {
    const bars = Map.groupBy(counts, (count) => Math.max(0, Math.ceil(count / width) - 1))
    return counts.length === 0
      ? []
      : Array.from({ length: Math.ceil(most / width) }, (_, bar) => {
          const responses = bars.get(bar)?.length ?? 0
          return { model, upTo: (bar + 1) * width, responses, share: responses / counts.length }
        })
  })
  return {
    id: 'relic/figure13-lengths',
    title: 'Responses by their length',
    columns: [
      column.text('model', 'Model'),
      column.number('upTo', 'Completion tokens, up to'),
      column.number('responses', 'Responses'),
      column.share('share', 'Share'),
    ],
    rows,
  }
}
