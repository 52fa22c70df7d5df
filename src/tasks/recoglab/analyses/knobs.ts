import type { Frame } from '../../../core/analysis.ts'

const presentation = ['order', 'filler', 'fillerLines', 'padTokens']

interface Told {
  /** Features that repeat a knob: equal for all items of a config. */
  readonly knobs: readonly string[]
  /** Features of the problem itself: two conditions of one problem agree in them. */
  readonly content: readonly string[]
}

/** What the features of each task tell. */
const told: { readonly [task: string]: Told } = {
  'recoglab/comparison': {
    knobs: ['ask', 'network', 'entities', 'relation', 'entityKind', 'congruency', ...presentation],
    content: ['distance', 'queryWord', 'firstNamed', 'label'],
  },
  'recoglab/social': {
    knobs: ['ask', 'network', 'people', 'relation', 'wording', 'alikeWithin', ...presentation],
    content: ['edges', 'directed', 'distance', 'accepted', 'label'],
  },
  'recoglab/syllogism': {
    knobs: ['ask', 'terms', 'construction', 'nouns', 'existentialImport', ...presentation],
    content: ['premises', 'offWay', 'form', 'validity', 'believability', 'figure', 'moods', 'mood', 'label'],
  },
  'recoglab/families': {
    knobs: ['ask', 'families', 'maxMembers', 'format', ...presentation],
    content: ['people', 'hop', 'tie', 'shared', 'label'],
  },
}

/** The columns of one kind of features that a frame of one task has. */
export function columnsOf(frame: Frame, kind: keyof Told): readonly string[] {
  const [task = ''] = frame.category('task').levels
  return (told[task]?.[kind] ?? []).map((name) => `feature_${name}`).filter((column) => frame.has(column))
}
