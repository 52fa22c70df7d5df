import type { Analysis, Frame } from '../../../core/analysis.ts'
import { figure, heatMarks, marksBy } from '../../../core/tables.ts'
import { partition } from '../../../libraries/statistics/index.ts'
import { accuracyTable, itemsIn, levelsIn, meanOf, NEEDS, number, paper, rowsWith, text } from './accuracy.ts'
import { blocksBeside, named, panelOf, panels } from './settings.ts'

/** Figure 3: accuracy against the number of entities. `feature` is the task's measure of size. */
export const capacity = (task: string, feature: string, label: string): Analysis => ({
  id: `recoglab/figure3-${task}`,
  title: `Capacity: accuracy against ${label.toLowerCase()}`,
  source: { paper, item: 'figure 3' },
  notes: [
    'Each size is a config; configs share their randomness. Settings with one size are omitted.',
    'local-1 is fitted to the statements around the queried terms and sees no others: a curve that it matches needs no reasoning.',
  ],
  needs: [...NEEDS, feature],
  run(frame) {
    const settings = named(
      blocksBeside(frame, [feature]).filter(({ rows }) => levelsIn(frame, feature, rows).length > 1),
    )
    const size = [feature, number('size', label)] as const
    const sizes = accuracyTable(frame, settings, [`recoglab/figure3-${task}`, 'Accuracy by size'], [size])
    const curve = figure(sizes, {
      title: `Accuracy by ${label.toLowerCase()}`,
      x: 'size',
      y: 'accuracy',
      facet: panels(settings),
      marks: marksBy('model', 'interval', 'line', 'point'),
    })
    return { tables: [sizes], figures: [curve] }
  },
})

/** Figures 4, 10 and 11: accuracy by size and symbolic distance. Distance 1 is a needle in a haystack. */
export const heatmap = (task: string, size: string, label: string): Analysis => ({
  id: `recoglab/figure4-${task}`,
  title: 'Accuracy by size and symbolic distance',
  source: { paper, item: 'figures 4, 10 and 11' },
  notes: ['Distances are balanced by design, so each cell of a size has about as many items.'],
  needs: [...NEEDS, size, 'feature_distance'],
  run(frame) {
    const settings = named(blocksBeside(frame, [size], rowsWith(frame, 'feature_distance')))
    const cells = accuracyTable(
      frame,
      settings,
      [`recoglab/figure4-${task}`, 'Accuracy by size and distance'],
      [
        [size, number('size', label)],
        ['feature_distance', number('distance', 'Symbolic distance')],
      ],
      [[number('n', 'Items'), ({ rows }) => itemsIn(frame, rows)]],
    )
    const several = settings.length > 1
    // Networks of other kinds have other distances, so each setting has a figure.
    const figures = settings.map(({ setting }) =>
      figure(cells, {
        id: several ? `${cells.id}-${setting.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')}` : cells.id,
        title: several ? `${cells.title}: ${setting}` : cells.title,
        only: several ? { column: 'setting', value: setting } : undefined,
        x: { key: 'size', scale: 'category' },
        y: { key: 'distance', scale: 'category' },
        facet: 'model',
        marks: heatMarks('accuracy', 'n'),
      }),
    )
    return { tables: [cells], figures }
  },
})

const lengths = ['feature_filler', 'feature_people', 'feature_fillerLines', 'feature_padTokens']

const ways: { readonly [filler: string]: string } = {
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
      [[number('tokens', 'Mean input', 'tokens'), ({ rows }) => meanOf(frame, 'input_tokens', rows)]],
      ({ model, levels }, setting) => ({
        panel: panelOf(model, setting),
        way: wayIn.get(setting)?.(levels['feature_filler'] ?? '-', levels['feature_people'] ?? '-') ?? null,
      }),
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
    const name = ways[filler] ?? filler
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
      [[number('tokens', 'Mean output', 'tokens'), ({ rows }) => meanOf(frame, 'output_tokens', rows)]],
    )
    return { tables: [asks] }
  },
}
