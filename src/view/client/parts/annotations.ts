import { z } from 'zod/mini'
import { csvRows } from '../../../core/csv.ts'

/** Annotations by their keyboard key. */
export const MARKS = { r: 'right', w: 'wrong', n: 'no answer' } as const
export type Annotation = keyof typeof MARKS
export const isMark = (key: string): key is Annotation => Object.hasOwn(MARKS, key)

const kept = z.record(z.string(), z.record(z.string(), z.enum(['r', 'w', 'n'])))
/** Annotations by rater, then by call. */
export type Kept = z.infer<typeof kept>

export function readKept(key: string): Kept {
  try {
    const parsed = kept.safeParse(JSON.parse(localStorage.getItem(key) ?? '{}'))
    return parsed.success ? parsed.data : {}
  } catch {
    return {}
  }
}

/** An answer of a sample, as its line of a CSV names it. */
export interface Marked {
  readonly item: string
  readonly cell: string
  readonly model: string
  readonly style: string
  /** As the strict parser reads it. */
  readonly strict: Annotation
}

/** All annotations as CSV; until the sample is complete, models and parsed answers stay hidden. */
export function marksCsv(sample: readonly Marked[], annotations: Kept, hidden: boolean): string {
  const lines = Object.entries(annotations).flatMap(([reader, marks]) =>
    sample.flatMap(({ item, cell, model, style, strict }) => {
      const mark = marks[cell]
      return mark === undefined
        ? []
        : [[reader, item, cell, hidden ? '' : model, style, MARKS[mark], hidden ? '' : MARKS[strict]]]
    }),
  )
  return ['reader,item,cell,model,style,mark,strict', ...lines.map((line) => line.map(csvCell).join(','))].join('\r\n')
}

/** A cell that no spreadsheet takes for a formula. */
const csvCell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The annotations of this sample in a CSV of {@link marksCsv}. */
export function marksIn(csv: string, sample: readonly Marked[]): Kept {
  const items = new Map(sample.map(({ cell, item }) => [cell, item]))
  const letters = new Map(Object.entries(MARKS).map(([letter, word]) => [word as string, letter as Annotation]))
  const found = new Map<string, Map<string, Annotation>>()
  for (const { reader = '', item, cell = '', mark = '' } of csvRows(csv)) {
    const letter = letters.get(mark)
    if (letter === undefined || items.get(cell) === undefined || items.get(cell) !== item) continue
    const name = reader.replace(/^'(?=[=+\-@\t\r])/u, '').slice(0, 80)
    found.set(name, (found.get(name) ?? new Map<string, Annotation>()).set(cell, letter))
  }
  return Object.fromEntries([...found].map(([name, marks]) => [name, Object.fromEntries(marks)]))
}

/** Joins imported annotations; an imported rater whose name is taken and who differs gets a number. */
export function withOthers(own: Kept, others: Kept): Kept {
  const all: Record<string, Kept[string]> = { ...own }
  for (const [name, marks] of Object.entries(others)) {
    let free = name
    for (let k = 2; differ(marks, all[free] ?? {}); k++) free = `${name} ${k}`
    all[free] = { ...all[free], ...marks }
  }
  return all
}

const differ = (marks: Kept[string], known: Kept[string]): boolean =>
  Object.entries(marks).some(([cell, mark]) => known[cell] !== undefined && known[cell] !== mark)
