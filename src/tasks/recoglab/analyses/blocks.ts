import type { Column, Frame } from '../../../core/analysis.ts'
import { allRows, bySystem, partition, rowsWhere } from '../../../libraries/statistics/index.ts'
import { text, whoIn } from './cells.ts'
import { columnsOf } from './knobs.ts'

/** Rows that are looked at together: they differ in what an analysis shows and in nothing else that was set. */
export interface Block {
  /** What sets it apart from other blocks of the run. */
  readonly key: { readonly [column: string]: string | null }
  readonly rows: Int32Array
}

/**
 * One style and one config a block, but for the knobs among the columns `shown`. Not every knob is a feature: configs
 * that agree in all features and are still several are blocks of their own, by name. Styles count where a model was
 * asked in several; after a selection each model has its own.
 */
export function blocksBeside(frame: Frame, shown: readonly string[], rows: Int32Array = allRows(frame)): Block[] {
  const knobs = columnsOf(frame, 'knobs')
  const severalStyles = bySystem(whoIn(frame), rows).some((mine) => differ(frame, 'style', mine.rows))
  const apart = [...knobs.filter((knob) => !shown.includes(knob)), ...(severalStyles ? ['style'] : [])]
  const inside = knobs.filter((knob) => shown.includes(knob))
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

/** Configs that ask about each context both ways apart from the others: no feature tells, but their groups do. */
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
  if (flipped.size === 0)
    return [
      { key: { pairing: 'single' }, rows },
      { key: { pairing: 'flip' }, rows: new Int32Array(0) },
    ]
  const isFlipped = (row: number): boolean => flipped.has(config[row] as number)
  return [
    { key: { pairing: 'single' }, rows: rowsWhere(rows, (row) => !isFlipped(row)) },
    { key: { pairing: 'flip' }, rows: rowsWhere(rows, isFlipped) },
  ]
}

const differ = (frame: Frame, column: string, rows: Int32Array): boolean =>
  frame.has(column) && partition(frame, [column], rows).length > 1

interface Setting {
  /** What sets it apart from the others, such as `path, 10 people, bare`; empty where there is one. */
  readonly setting: string
  readonly rows: Int32Array
}

interface Settings {
  readonly settings: readonly Setting[]
  /** The column of the setting; none where there is one. */
  readonly columns: readonly Column[]
  /** A panel a setting, in figures that show models side by side. */
  readonly facet: { readonly facet?: 'setting' }
}

/** The blocks that an analysis shows, named by what differs between them; what is left at its default goes unsaid. */
export function named(blocks: readonly Block[]): Settings {
  const columns = [...new Set(blocks.flatMap(({ key }) => Object.keys(key)))]
  const differing = columns.filter((column) => new Set(blocks.map(({ key }) => key[column])).size > 1)
  const settings = blocks.map(({ key, rows }) => {
    const said = differing.flatMap((column) => worded(column.replace('feature_', ''), key[column]))
    return { setting: said.length > 0 || blocks.length === 1 ? said.join(', ') : 'default', rows }
  })
  const several = blocks.length > 1
  return { settings, columns: several ? [text('setting', 'Setting')] : [], facet: several ? { facet: 'setting' } : {} }
}

const defaults: { readonly [name: string]: string } = {
  congruency: 'none',
  existentialImport: '0',
  order: 'random',
  filler: 'none',
  fillerLines: '0',
  padTokens: '0',
  pairing: 'single',
}

/** How levels are said that do not speak for themselves. */
const spoken: { readonly [name: string]: (level: string) => string } = {
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

/** In few letters, since it heads a panel. */
function worded(name: string, level: string | null | undefined): string[] {
  if (level === undefined || level === defaults[name]) return []
  return [level === null ? `no ${name}` : (spoken[name]?.(level) ?? level)]
}

/** The title of a panel that shows one model in one setting. */
export const panelOf = (model: string, setting: string): string => (setting === '' ? model : `${model}, ${setting}`)
