import type { Column, Frame } from '../../../core/index.ts'
import { allRows, bySystem, partition, systems } from '../../../libraries/statistics/index.ts'
import { text } from './common.ts'

/** The rows of one model with its settings inside a part, and the cells that name both. */
export interface Arm {
  readonly key: { readonly model: string; readonly [column: string]: string }
  /** The same in one text, for titles. */
  readonly name: string
  readonly rows: Int32Array
}

/** Rows that may be compared: of one config, asked in one style. */
export interface Part {
  /** The cells of the columns that name it, and where these are several one for panels, `part`. Empty for a single part. */
  readonly key: { readonly [column: string]: string }
  /** The same in one text; empty where there is one part only. */
  readonly name: string
  readonly rows: Int32Array
  readonly arms: readonly Arm[]
}

interface Parts {
  readonly parts: readonly Part[]
  readonly arms: readonly Arm[]
  /** The columns of a part's key. */
  readonly columns: readonly Column[]
  /** To spread into a figure: one panel a part. */
  readonly facet: { readonly facet?: string }
}

const LABELS: { readonly [axis: string]: string } = { config: 'Config', style: 'Style' }

/** A text about one part. */
export const titled = (what: string, part: string): string => (part === '' ? what : `${what}, ${part}`)

/** A run cut along those of the axes on which it has several levels, so that no row of a table mixes them. */
export function partsOf(frame: Frame, axes: readonly string[] = ['config', 'style']): Parts {
  const several = axes.filter((axis) => frame.has(axis) && partition(frame, [axis]).length > 1)
  const who = systems(frame)
  const parts = partition(frame, several, allRows(frame)).map(({ key: levels, rows }): Part => {
    const cells = several.map((axis) => [axis, levels[axis] ?? ''] as const)
    const name = cells.map(([, level]) => level).join(', ')
    const key = { ...Object.fromEntries(cells), ...(several.length > 1 ? { part: name } : {}) }
    const arms = bySystem(who, rows).map(({ contestant, rows: own }) => ({
      key: { ...key, model: contestant },
      name: titled(contestant, name),
      rows: own,
    }))
    return { key, name, rows, arms }
  })
  const [facet] = several.length > 1 ? ['part'] : several
  return {
    parts,
    arms: parts.flatMap(({ arms }) => arms),
    columns: several.map((axis) => text(axis, LABELS[axis] ?? axis)),
    facet: facet === undefined ? {} : { facet },
  }
}
