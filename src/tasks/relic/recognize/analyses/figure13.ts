import type { Analysis, Frame, Table } from '../../../../core/index.ts'
import { pairedDifference } from '../../../../stats/index.ts'
import { byGrammar, clusteredAccuracy, plain } from './cells.ts'
import { PAPER } from './paper.ts'
import { byArm, needs, publishedResponses, type Responses } from './responses.ts'

/** Are answers that ran into the token limit worse? */
export const figure13: Analysis = {
  id: 'relic/figure13',
  title: 'Accuracy of finished and truncated responses',
  source: { paper: PAPER, item: 'Figure 13' },
  notes: [
    'By what the provider said about the end of a response; the paper guesses from the token count, and its labels are the wrong way round.',
    'Imported results without such a word: in a batch of a model that closes its reasoning at least once, a response that does not close it was cut off.',
    'Answers as the published parser reads them. The difference is taken inside grammars that have both, with a clustered interval.',
  ],
  needs: [...needs, 'finish'],
  run(frame, options) {
    const data = publishedResponses(frame, options)
    const rows = byArm(data).flatMap(({ model, entries }) => split(frame, data, model, entries))
    if (rows.length === 0) return { tables: [] }
    const table: Table = {
      id: 'relic/figure13',
      title: 'Finished against truncated responses',
      columns: [
        { key: 'model', label: 'Model', kind: 'text' },
        { key: 'finished', label: 'Finished', kind: 'number' },
        { key: 'truncated', label: 'Truncated', kind: 'number' },
        { key: 'accuracyFinished', label: 'Accuracy, finished', kind: 'estimate', unit: 'share' },
        { key: 'accuracyTruncated', label: 'Accuracy, truncated', kind: 'estimate', unit: 'share' },
        { key: 'grammars', label: 'Grammars with both', kind: 'number' },
        { key: 'difference', label: 'Finished - truncated, inside grammars', kind: 'estimate' },
      ],
      rows,
    }
    return { tables: [table] }
  },
}

function split(frame: Frame, data: Responses, model: string, entries: Int32Array) {
  const { codes, levels } = frame.category('finish')
  const ended = (name: string) => entries.filter((k) => levels[codes[data.row[k] as number] as number] === name)
  const [finished, truncated] = [ended('stop'), ended('truncated')]
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
