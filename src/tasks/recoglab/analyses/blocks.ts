import type { Column, Frame } from '../../../core/analysis.ts'
import { allRows, byContestant, contestants, partition } from '../../../stats/index.ts'
import { text } from './cells.ts'
import { columnsOf } from './knobs.ts'

/** Rows that are looked at together: they differ in what an analysis shows and in nothing else that was set. */
export interface Block {
  /** What sets it apart from the other blocks, such as `ask path, style bare`; empty where it is the only one. */
  readonly setting: string
  readonly rows: Int32Array
}

export interface Blocks {
  readonly blocks: readonly Block[]
  /** The column of the setting; none where there is one block. */
  readonly columns: readonly Column[]
  /** A panel a block, in figures that show models side by side. */
  readonly facet: { readonly facet?: 'setting' }
}

/**
 * One style and one config a block, but for the knobs among the columns `shown`. Not every knob is a feature: where
 * configs agree in all features but those shown and are still several, each is a block of its own, named by its hash.
 * Styles count where a model was asked in several; after a selection each model has its own.
 */
export function blocksBeside(frame: Frame, shown: readonly string[], rows: Int32Array = allRows(frame)): Blocks {
  const knobs = columnsOf(frame, 'knobs')
  const severalStyles = byContestant(contestants(frame), rows).some((mine) => differ(frame, 'style', mine.rows))
  const apart = [...knobs.filter((knob) => !shown.includes(knob)), ...(severalStyles ? ['style'] : [])].filter(
    (column) => differ(frame, column, rows),
  )
  const inside = knobs.filter((knob) => shown.includes(knob))
  const blocks = partition(frame, apart, rows).flatMap((part) => {
    const unclear = partition(frame, inside, part.rows).some((same) => differ(frame, 'config', same.rows))
    const parts = unclear ? partition(frame, ['config'], part.rows) : [{ key: {}, rows: part.rows }]
    return parts.map(({ key, rows: mine }) => ({ setting: settingOf({ ...part.key, ...key }), rows: mine }))
  })
  const several = blocks.length > 1
  return { blocks, columns: several ? [text('setting', 'Setting')] : [], facet: several ? { facet: 'setting' } : {} }
}

/** The title of a panel that shows one model in one block. */
export const panelOf = (model: string, { setting }: Block): string => (setting === '' ? model : `${model}, ${setting}`)

const differ = (frame: Frame, column: string, rows: Int32Array): boolean =>
  frame.has(column) && partition(frame, [column], rows).length > 1

const settingOf = (key: { readonly [column: string]: string | null }): string =>
  Object.entries(key)
    .map(([column, level]) => {
      const shown = column === 'config' ? level?.slice(0, 12) : level
      return `${column.replace('feature_', '')} ${shown ?? '-'}`
    })
    .join(', ')
