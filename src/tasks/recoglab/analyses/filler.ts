import type { Analysis } from '../../../core/analysis.ts'
import { accuracyBy, estimate, level, meanOf, number, paper, text } from './cells.ts'

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
    'Input tokens are the mean that the provider reported; where none was reported the point has no place on the axis and stays in the table.',
    'The series "more people" are the configs without filler, by number of people.',
  ],
  needs: [
    'model',
    'state',
    'value',
    'inputTokens',
    'feature_filler',
    'feature_fillerLines',
    'feature_padTokens',
    'feature_people',
  ],
  run(frame) {
    const columns = ['feature_filler', 'feature_people', 'feature_fillerLines', 'feature_padTokens']
    const rows = accuracyBy(frame, columns).map(({ model, key, rows: cell, accuracy }) => ({
      model,
      way: names[key['feature_filler'] ?? ''] ?? key['feature_filler'] ?? null,
      people: level(key['feature_people'] ?? null),
      lines: level(key['feature_fillerLines'] ?? null),
      tokens: meanOf(frame, 'inputTokens', cell),
      accuracy,
    }))
    return {
      tables: [
        {
          id: 'recoglab/figure6',
          title: 'Accuracy by length',
          columns: [
            text('model', 'Model'),
            text('way', 'Lengthened by'),
            number('people', 'People'),
            number('lines', 'Filler', 'sentences'),
            number('tokens', 'Mean input', 'tokens'),
            estimate('accuracy', 'Accuracy'),
          ],
          rows,
        },
      ],
      figures: [
        {
          id: 'recoglab/figure6',
          title: 'Accuracy by input tokens',
          table: 'recoglab/figure6',
          x: { key: 'tokens', label: 'Input tokens', unit: 'tokens' },
          y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
          facet: 'model',
          marks: [
            { kind: 'interval', series: 'way' },
            { kind: 'line', series: 'way' },
            { kind: 'point', series: 'way' },
          ],
        },
      ],
    }
  },
}

/** Output tokens by what is asked: the paper's explanation of why exact paths go better than numbers of hops. */
export const outputTokens: Analysis = {
  id: 'recoglab/output-tokens',
  title: 'Output tokens and accuracy by question type',
  source: { paper, item: 'section 4.2' },
  needs: ['model', 'state', 'value', 'outputTokens', 'feature_ask'],
  run(frame) {
    const rows = accuracyBy(frame, ['feature_ask']).map(({ model, key, rows: cell, accuracy }) => ({
      model,
      ask: key['feature_ask'] ?? null,
      tokens: meanOf(frame, 'outputTokens', cell),
      accuracy,
    }))
    return {
      tables: [
        {
          id: 'recoglab/output-tokens',
          title: 'Output tokens by question type',
          columns: [
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
