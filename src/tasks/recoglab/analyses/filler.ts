import type { Analysis, Figure, Frame } from '../../../core/analysis.ts'
import { partition } from '../../../libraries/statistics/index.ts'
import { blocksBeside, named, panelOf } from './blocks.ts'
import { accuracyBy, chanceColumn, estimate, level, levelsIn, meanOf, number, paper, text } from './cells.ts'

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
    'Input tokens are the mean that the provider reported; where none was reported the point has no place on the axis and stays in the table; where none was at all there is no figure.',
    'The series "more people" are the configs without filler, by number of people. Filler in networks of several sizes is a series a size. Settings with one length are left out.',
  ],
  needs: ['task', 'item', 'model', 'config', 'state', 'value', 'inputTokens', ...lengths],
  run(frame) {
    const { settings, columns } = named(
      blocksBeside(frame, lengths).filter((block) => partition(frame, lengths, block.rows).length > 1),
    )
    const rows = settings.flatMap(({ setting, rows: mine }) => {
      const wayOf = waysIn(frame, mine)
      return accuracyBy(frame, lengths, mine).map(({ model, key, rows: cell, accuracy, chance }) => ({
        panel: panelOf(model, setting),
        setting,
        model,
        way: wayOf(key['feature_filler'] ?? '-', key['feature_people'] ?? '-'),
        people: level(key['feature_people'] ?? null),
        lines: level(key['feature_fillerLines'] ?? null),
        padded: level(key['feature_padTokens'] ?? null),
        tokens: meanOf(frame, 'inputTokens', cell),
        accuracy,
        chance,
      }))
    })
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'recoglab/figure6',
          title: 'Accuracy by length',
          columns: [
            ...columns,
            text('model', 'Model'),
            text('way', 'Lengthened by'),
            number('people', 'People'),
            number('lines', 'Filler', 'sentences'),
            number('padded', 'Padded to', 'tokens'),
            number('tokens', 'Mean input', 'tokens'),
            estimate('accuracy', 'Accuracy'),
            ...chanceColumn(rows),
          ],
          rows,
        },
      ],
      figures: rows.some(({ tokens }) => tokens !== null) ? [figure] : [],
    }
  },
}

const figure: Figure = {
  id: 'recoglab/figure6',
  title: 'Accuracy by input tokens',
  table: 'recoglab/figure6',
  x: { key: 'tokens', label: 'Mean input', unit: 'tokens' },
  y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
  facet: 'panel',
  marks: [
    { kind: 'interval', series: 'way' },
    { kind: 'line', series: 'way' },
    { kind: 'point', series: 'way' },
  ],
}

/** The name of a series: what is added and, where several networks are filled, the size of the network. */
function waysIn(frame: Frame, rows: Int32Array): (filler: string, people: string) => string {
  const { codes, levels } = frame.category('feature_filler')
  const filled = rows.filter((row) => levels[codes[row] as number] !== 'none')
  const several = levelsIn(frame, 'feature_people', filled).length > 1
  return (filler, people) => {
    const name = names[filler] ?? filler
    return several && filler !== 'none' ? `${name}, ${people} people` : name
  }
}

/** Output tokens by what is asked: the paper's explanation of why exact paths go better than numbers of hops. */
export const outputTokens: Analysis = {
  id: 'recoglab/output-tokens',
  title: 'Output tokens and accuracy by question type',
  source: { paper, item: 'section 4.2' },
  notes: ['Settings in which one type of question was asked are left out.'],
  needs: ['task', 'item', 'model', 'config', 'state', 'value', 'outputTokens', 'feature_ask'],
  run(frame) {
    const { settings, columns } = named(
      blocksBeside(frame, ['feature_ask']).filter((block) => levelsIn(frame, 'feature_ask', block.rows).length > 1),
    )
    const rows = settings.flatMap(({ setting, rows: mine }) =>
      accuracyBy(frame, ['feature_ask'], mine).map(({ model, key, rows: cell, accuracy }) => ({
        setting,
        model,
        ask: key['feature_ask'] ?? null,
        tokens: meanOf(frame, 'outputTokens', cell),
        accuracy,
      })),
    )
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'recoglab/output-tokens',
          title: 'Output tokens by question type',
          columns: [
            ...columns,
            text('model', 'Model'),
            text('ask', 'Question'),
            number('tokens', 'Mean output', 'tokens'),
            estimate('accuracy', 'Accuracy'),
          ],
          rows,
        },
      ],
    }
  },
}
