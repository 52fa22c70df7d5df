import { column, type Frame, UsageError } from '../core/index.ts'
import type { Choice } from '../store/index.ts'
import type { ReportedAnalysis, ReportFrames } from './report.ts'
import { ofParser } from './rows.ts'

/** The name under which rows are read each by the parser chosen for their model. */
export const SELECTED = 'selected'

/** Frames with one more parser, `selected`: each row as its model's chosen parser read it, other rows by `strict`. */
export function selectedFrames(frames: ReportFrames, choices: readonly Choice[]): ReportFrames {
  // Made when somebody reads by it: each row is looked up.
  let merged: Frame | null | undefined
  return {
    length: frames.length,
    parsers: [...frames.parsers, SELECTED],
    columns: frames.columns,
    frame(parser) {
      if (parser !== SELECTED) return frames.frame(parser)
      merged ??= mergedFrame(frames, choices)
      return merged
    },
    ofTask: (task) => selectedFrames(frames.ofTask(task), choices),
  }
}

const keyOf = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts)

function mergedFrame(frames: ReportFrames, choices: readonly Choice[]): Frame | null {
  const strict = frames.frame('strict')
  if (strict === null) return null
  const readers: Frame[] = [strict]
  const numberOf = new Map([['strict', 0]])
  const chosen = new Map(choices.map((choice) => [keyOf(choice.task, choice.model, choice.settings), choice.parser]))
  const [task, model, settings] = [strict.category('task'), strict.category('model'), strict.category('settings')]
  const readerOf = Int32Array.from({ length: strict.length }, (_, row) => {
    const level = ({ codes, levels }: ReturnType<Frame['category']>) => levels[codes[row] as number]
    const parser = chosen.get(keyOf(level(task), level(model), level(settings))) ?? 'strict'
    const known = numberOf.get(parser)
    if (known !== undefined) return known
    const frame = frames.frame(parser)
    if (frame === null) throw new UsageError(`no row was read by the parser ${parser}, which is the chosen one`)
    numberOf.set(parser, readers.length)
    return readers.push(frame) - 1
  })
  return {
    length: strict.length,
    has: (name) => (ofParser(name) ? readers.some((reader) => reader.has(name)) : strict.has(name)),
    number(name) {
      if (!ofParser(name)) return strict.number(name)
      const columns = readers.map((reader) => (reader.has(name) ? reader.number(name) : null))
      return Float64Array.from(readerOf, (reader, row) => columns[reader]?.[row] ?? Number.NaN)
    },
    category(name) {
      if (!ofParser(name)) return strict.category(name)
      const columns = readers.map((reader) => (reader.has(name) ? reader.category(name) : null))
      const levels = [...new Set(columns.flatMap((column) => column?.levels ?? []))]
      const place = new Map(levels.map((level, i) => [level, i]))
      const codes = Int32Array.from(readerOf, (reader, row) => {
        const column = columns[reader]
        return place.get(column?.levels[column.codes[row] as number] ?? '') ?? -1
      })
      return { codes, levels }
    },
  }
}

/** Which style and parser each model used. */
export const selectionTable = (choices: readonly Choice[]): ReportedAnalysis => ({
  id: 'core/selection',
  title: 'Style and parser of each model, chosen on validation items',
  task: null,
  source: null,
  notes: ['Rows of each model are read by its own parser.'],
  tables: [
    {
      id: 'selection',
      title: 'Style and parser of each model',
      columns: ['task', 'model', 'settings', 'style', 'parser'].map((key) => column.text(key, key)),
      rows: choices.map(({ task, model, settings, style, parser }) => ({ task, model, settings, style, parser })),
    },
  ],
  figures: [],
})
