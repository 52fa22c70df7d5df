import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withBlock } from '../scripts/generated-block.ts'
import { curveSvg } from './curve.ts'
import { type StoredTable, summaryOf } from './summary.ts'
import type { BenchTable } from './table.ts'

interface StoredBench {
  readonly machine?: { readonly node: string; readonly cpu: string; readonly cores: number }
  readonly tables: readonly BenchTable[]
}

/** Short tables that the page shows whole; all others are in bench/results. */
const SHOWN_TABLES = [
  /^Whole sets/u,
  /^(Shares|Paired shares) over groups/u,
  /^Runner, \d+ ms/u,
  /^Responses per second by workers/u,
  /^The server over HTTP/u,
  /^Honest clients/u,
  /^Rewriting/u,
]

/** Writes the generated part of docs/benchmarks.md, and its curves, from all stored results. */
export async function writePage(results: string): Promise<void> {
  const docs = join(import.meta.dirname, '../docs')
  const benches = readdirSync(results)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      ...(JSON.parse(readFileSync(join(results, file), 'utf8')) as StoredBench),
    }))
  const stored = benches.flatMap(({ name, tables }) => tables.map((table): StoredTable => ({ bench: name, table })))
  const curves = stored.flatMap(({ table: { curve } }) => (curve === undefined ? [] : [curve]))
  for (const curve of curves) writeFileSync(join(docs, 'images', `${curve.file}.svg`), `${await curveSvg(curve)}\n`)
  const text = [
    '| what | result | bench |',
    '|---|---|---|',
    ...summaryOf(stored).map(({ what, result, bench }) => `| ${what} | ${result} | \`${bench}\` |`),
    '',
    ...stored
      .filter(({ table }) => SHOWN_TABLES.some((title) => title.test(table.title)))
      .flatMap(({ table: { title, columns, rows } }) => [
        `### ${title}`,
        '',
        `| ${columns.join(' | ')} |`,
        `|${columns.map((_, c) => (c === 0 ? '---|' : '---:|')).join('')}`,
        ...rows.map((row) => `| ${row.map(formatValue).join(' | ')} |`),
        '',
      ]),
    ...curves.flatMap(({ title, file }) => [`![${title}](images/${file}.svg)`, '']),
    '### All benches',
    '',
    'Run one with `npm run bench -- NAME`; rows and notes are in `bench/results/NAME.json`.',
    '',
    '| name | measures | rows | machine |',
    '|---|---|---:|---|',
    ...benches.flatMap(({ name, machine, tables }) =>
      tables.map(
        ({ title, rows }) =>
          `| [${name}](../bench/results/${name}.json) | ${title} | ${rows.length} | ${machine === undefined ? '' : `${machine.cores} cores, ${machine.cpu}`} |`,
      ),
    ),
  ]
  const path = join(docs, 'benchmarks.md')
  writeFileSync(path, withBlock(readFileSync(path, 'utf8'), 'bench', text.join('\n')))
}

/** A cell of a table: integers with separators, other numbers with three digits. */
export function formatValue(value: string | number): string {
  if (typeof value === 'string') return value
  if (Number.isInteger(value)) return value.toLocaleString('en-US')
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3)
}
