import type { Frame } from '../../../core/analysis.ts'
import { allRows, partition, rowsWhere, systemsIn } from '../../../libraries/statistics/index.ts'

const presentation = ['order', 'filler', 'fillerLines', 'padTokens']

interface FeatureKinds {
  /** Features that repeat a parameter: equal for all items of a config. */
  readonly parameters: readonly string[]
  /** Features of the problem itself: two conditions of one problem agree in them. */
  readonly content: readonly string[]
}

const featureKinds: { readonly [task: string]: FeatureKinds } = {
  'recoglab/comparison': {
    parameters: ['ask', 'network', 'entities', 'relation', 'entityKind', 'congruency', ...presentation],
    content: ['distance', 'queryWord', 'firstNamed', 'label'],
  },
  'recoglab/social': {
    parameters: ['ask', 'network', 'people', 'relation', 'wording', 'alikeWithin', ...presentation],
    content: ['edges', 'directed', 'distance', 'accepted', 'label'],
  },
  'recoglab/syllogism': {
    parameters: ['ask', 'terms', 'construction', 'nouns', 'existentialImport', ...presentation],
    content: ['premises', 'offWay', 'form', 'validity', 'believability', 'figure', 'moods', 'mood', 'label'],
  },
  'recoglab/families': {
    parameters: ['ask', 'families', 'maxMembers', 'format', ...presentation],
    content: ['people', 'hop', 'tie', 'shared', 'label'],
  },
}

/** The columns of one kind of features that the frame of one task has. */
export function columnsOf(frame: Frame, kind: keyof FeatureKinds): readonly string[] {
  const [task = ''] = frame.category('task').levels
  return (featureKinds[task]?.[kind] ?? []).map((name) => `feature_${name}`).filter((column) => frame.has(column))
}

/** Rows that agree in everything but what an analysis shows. */
export interface Block {
  /** What separates it from other blocks of the run. */
  readonly key: { readonly [column: string]: string | null }
  readonly rows: Int32Array
}

/**
 * One block per style and config, but for the parameters among the columns `shown`. Not every parameter is a feature: configs that
 * agree in all features are still blocks themselves, by name. Styles count where a model was asked in several; after a selection
 * each model has its own.
 */
export function blocksBeside(frame: Frame, shown: readonly string[], rows: Int32Array = allRows(frame)): Block[] {
  const parameters = columnsOf(frame, 'parameters')
  const severalStyles = systemsIn(frame, rows).some((own) => differ(frame, 'style', own.rows))
  const apart = [...parameters.filter((name) => !shown.includes(name)), ...(severalStyles ? ['style'] : [])]
  const inside = parameters.filter((name) => shown.includes(name))
  return byPairing(frame, rows).flatMap((paired) =>
    partition(frame, apart, paired.rows).flatMap((block) => {
      const key = { ...block.key, ...paired.key }
      const alike = partition(frame, inside, block.rows)
      const clear = alike.filter((same) => !differ(frame, 'config', same.rows))
      const unclear = alike.filter((same) => differ(frame, 'config', same.rows))
      return [
        ...(clear.length === 0 ? [] : [{ key, rows: joined(clear) }]),
        ...unclear.flatMap((same) =>
          partition(frame, ['config'], same.rows).map((one) => ({ key: { ...key, ...one.key }, rows: one.rows })),
        ),
      ]
    }),
  )
}

function joined(parts: readonly Pick<Block, 'rows'>[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { rows }) => sum + rows.length, 0))
  let at = 0
  for (const { rows } of parts) {
    all.set(rows, at)
    at += rows.length
  }
  return all
}

/** Separates configs that ask about each context both ways: their groups show it, no feature does. */
function byPairing(frame: Frame, rows: Int32Array): Block[] {
  if (!frame.has('group')) return [{ key: {}, rows }]
  const config = frame.category('config').codes
  const { codes: group, levels } = frame.category('group')
  const item = frame.category('item').codes
  const unseen = -2
  const itemOf = new Int32Array(levels.length + 1).fill(unseen)
  const flipped = new Set<number>()
  for (const row of rows) {
    const at = (group[row] as number) + 1
    if (itemOf[at] === unseen) itemOf[at] = item[row] as number
    else if (itemOf[at] !== item[row]) flipped.add(config[row] as number)
  }
  const isFlipped = (row: number): boolean => flipped.has(config[row] as number)
  return [
    { key: { pairing: 'single' }, rows: flipped.size === 0 ? rows : rowsWhere(rows, (row) => !isFlipped(row)) },
    { key: { pairing: 'flip' }, rows: rowsWhere(rows, isFlipped) },
  ]
}

const differ = (frame: Frame, column: string, rows: Int32Array): boolean =>
  frame.has(column) && partition(frame, [column], rows).length > 1

export interface Setting {
  /** What separates it from the others, such as `path, 10 people, bare`; empty where there is one. */
  readonly setting: string
  readonly rows: Int32Array
}

/** The blocks that an analysis shows, named by what differs between them; defaults are not named. */
export function named(blocks: readonly Block[]): readonly Setting[] {
  const columns = [...new Set(blocks.flatMap(({ key }) => Object.keys(key)))]
  const differing = columns.filter((column) => new Set(blocks.map(({ key }) => key[column])).size > 1)
  return blocks.map(({ key, rows }) => {
    const words = differing.flatMap((column) => worded(column.replace('feature_', ''), key[column]))
    return { setting: words.length > 0 || blocks.length === 1 ? words.join(', ') : 'default', rows }
  })
}

/** Every model in every setting, with its rows. */
export const systemsOf = (frame: Frame, settings: readonly Setting[]) =>
  settings.flatMap(({ setting, rows }) =>
    systemsIn(frame, rows).map(({ model, rows: own }) => ({ key: { setting, model }, rows: own })),
  )

/** One panel per setting, in figures that show models side by side. */
export const panels = (settings: readonly Setting[]): string | undefined =>
  settings.length > 1 ? 'setting' : undefined

const defaults: { readonly [name: string]: string } = {
  congruency: 'none',
  existentialImport: '0',
  order: 'random',
  filler: 'none',
  fillerLines: '0',
  padTokens: '0',
  pairing: 'single',
}

/** Texts of levels that need one. */
const texts: { readonly [name: string]: (level: string) => string } = {
  entities: (n) => `${n} entities`,
  people: (n) => `${n} people`,
  terms: (n) => `${n} terms`,
  families: (n) => `${n} families`,
  maxMembers: (n) => `up to ${n} members`,
  nouns: (kind) => `${kind} nouns`,
  existentialImport: () => 'existential import',
  fillerLines: (n) => `${n} lines`,
  padTokens: (n) => `${n} tokens`,
  pairing: () => 'both ways',
  config: (name) => `config ${name}`,
}

/** Short, since it heads a panel. */
function worded(name: string, level: string | null | undefined): string[] {
  if (level === undefined || level === defaults[name]) return []
  return [level === null ? `no ${name}` : (texts[name]?.(level) ?? level)]
}

/** The title of a panel that shows one model in one setting. */
export const panelOf = (model: string, setting: string): string => (setting === '' ? model : `${model}, ${setting}`)
