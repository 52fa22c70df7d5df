import type { Analysis, Frame } from '../../../core/analysis.ts'
import { figure, marksBy } from '../../../core/tables.ts'
import { partition } from '../../../libraries/statistics/index.ts'
import { accuracyTable, levelsIn, meanOf, NEEDS, number, paper, text } from './accuracy.ts'
import { blocksBeside, named, panelOf } from './settings.ts'

const lengths = ['feature_filler', 'feature_people', 'feature_fillerLines', 'feature_padTokens']

const names: { readonly [filler: string]: string } = {
  none: 'more people',
  prose: 'prose filler',
  entities: 'entity filler',
}

/** Figure 6: accuracy against the length of the input, for three ways of making it longer. */
export const fillerAgainstTokens: Analysis = {
  id: 'recoglab/figure6',
  title: 'Three ways of lengthening: accuracy against input tokens',
  source: { paper, item: 'figure 6' },
  notes: [
    'Input tokens: mean of what the provider reported; rows without it are only in the table.',
    '"More people": configs without filler, by number of people. Settings with one length are omitted.',
  ],
  needs: [...NEEDS, 'input_tokens', ...lengths],
  run(frame) {
    const settings = named(
      blocksBeside(frame, lengths).filter(({ rows }) => partition(frame, lengths, rows).length > 1),
    )
    const wayIn = new Map(settings.map(({ setting, rows }) => [setting, waysIn(frame, rows)]))
    const points = accuracyTable(
      frame,
      settings,
      ['recoglab/figure6', 'Accuracy by length'],
      [
        ['feature_filler', text('way', 'Lengthened by')],
        ['feature_people', number('people', 'People')],
        ['feature_fillerLines', number('lines', 'Filler', 'sentences')],
        ['feature_padTokens', number('padded', 'Padded to', 'tokens')],
      ],
      {
        columns: [number('tokens', 'Mean input', 'tokens')],
        of: ({ model, key, rows }, { setting }) => ({
          panel: panelOf(model, setting),
          way: wayIn.get(setting)?.(key['feature_filler'] ?? '-', key['feature_people'] ?? '-') ?? null,
          tokens: meanOf(frame, 'input_tokens', rows),
        }),
      },
    )
    const curve = figure(points, {
      title: 'Accuracy by input tokens',
      x: 'tokens',
      y: 'accuracy',
      facet: 'panel',
      marks: [{ kind: 'reference', y: 'chance', series: 'way' }, ...marksBy('way', 'interval', 'line', 'point')],
    })
    return { tables: [points], figures: points.rows.some(({ tokens }) => tokens !== null) ? [curve] : [] }
  },
}

/** The name of a series: the filler and, where several networks are filled, the size of the network. */
function waysIn(frame: Frame, rows: Int32Array): (filler: string, people: string) => string {
  const { codes, levels } = frame.category('feature_filler')
  const filled = rows.filter((row) => levels[codes[row] as number] !== 'none')
  const several = levelsIn(frame, 'feature_people', filled).length > 1
  return (filler, people) => {
    const name = names[filler] ?? filler
    return several && filler !== 'none' ? `${name}, ${people} people` : name
  }
}

/** Output tokens by question type: the paper's explanation of why exact paths are easier than numbers of hops. */
export const outputTokens: Analysis = {
  id: 'recoglab/output-tokens',
  title: 'Output tokens and accuracy by question type',
  source: { paper, item: 'section 4.2' },
  notes: ['Settings with one question type are omitted.'],
  needs: [...NEEDS, 'output_tokens', 'feature_ask'],
  run(frame) {
    const settings = named(
      blocksBeside(frame, ['feature_ask']).filter(({ rows }) => levelsIn(frame, 'feature_ask', rows).length > 1),
    )
    const asks = accuracyTable(
      frame,
      settings,
      ['recoglab/output-tokens', 'Output tokens by question type'],
      [['feature_ask', text('ask', 'Question')]],
      {
        columns: [number('tokens', 'Mean output', 'tokens')],
        of: ({ rows }) => ({ tokens: meanOf(frame, 'output_tokens', rows) }),
      },
    )
    return { tables: [asks] }
  },
}
