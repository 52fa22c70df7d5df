import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { check, storeBaseline } from './everyday.ts'
import { formatValue, writePage } from './page.ts'
import type { BenchTable } from './table.ts'

/**
 * `npm run bench [-- NAME ...]`: every bench, or those named (`scale` is all of `scale-*`); prints each table, writes bench/results/NAME.json, the
 * baseline a later run is compared with by eye, and the tables of docs/benchmarks.md. Ratios are measured inside one
 * run; absolute times are of this machine. `--check` names everyday commands that became more than 20 % slower than
 * bench/baseline.json, and fails then; `--baseline` writes that file.
 */
const benches: { readonly [name: string]: () => Promise<{ run(): Promise<BenchTable | readonly BenchTable[]> }> } = {
  everyday: () => import('./everyday.ts'),
  recognition: () => import('./recognition.ts'),
  'relic-shortcuts': () => import('./relic-shortcuts.ts'),
  'relic-learners': () => import('./relic-learners.ts'),
  'relic-tasks': () => import('./relic-tasks.ts'),
  sampling: () => import('./sampling.ts'),
  generation: () => import('./generation.ts'),
  'whole-sets': () => import('./whole-sets.ts'),
  locality: () => import('./locality.ts'),
  'held-out': () => import('./held-out.ts'),
  audit: () => import('./audit-simulation.ts'),
  'audit-panel': () => import('./audit-panel.ts'),
  attacker: () => import('./attacker-simulation.ts'),
  'audit-random': () => import('./random-answers.ts'),
  contamination: () => import('./contamination.ts'),
  readers: () => import('./readers.ts'),
  adaptive: () => import('./adaptive.ts'),
  'regression-coverage': () => import('./regression-coverage.ts'),
  'share-coverage': () => import('./share-coverage.ts'),
  'prediction-powered': () => import('./prediction-powered.ts'),
  solutions: () => import('./solutions.ts'),
  runner: () => import('./runner.ts'),
  batches: () => import('./batches.ts'),
  'scale-concurrency': () => import('./scale/concurrency.ts'),
  'scale-workers': () => import('./scale/workers.ts'),
  'scale-deaths': () => import('./scale/deaths.ts'),
  'scale-sizes': () => import('./scale/sizes.ts'),
  'scale-asked': () => import('./scale/asked.ts'),
  serve: () => import('./serve.ts'),
  soak: () => import('./soak.ts'),
  'step-rewards': () => import('./step-rewards.ts'),
  view: () => import('./view.ts'),
  report: () => import('./report.ts'),
  rewriting: () => import('./rewriting.ts'),
  'cascade-sampling': () => import('./pbebench-sampling.ts'),
  cascades: () => import('./pbebench-search.ts'),
}

/** Asked for by this name, the page is written of what is stored, and nothing measured. */
const PAGE = 'page'
const asked = process.argv.slice(2)
if (asked[0] === '--check') process.exit((await check()) ? 0 : 1)
if (asked[0] === '--baseline') {
  await storeBaseline()
  process.exit(0)
}
const isMeant = (name: string, word: string): boolean => name === word || name.startsWith(`${word}-`)
const unknown = asked.filter((word) => word !== PAGE && !Object.keys(benches).some((name) => isMeant(name, word)))
if (unknown.length > 0) {
  process.stderr.write(`no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}

const results = join(import.meta.dirname, 'results')
mkdirSync(results, { recursive: true })
for (const [name, load] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.some((word) => isMeant(name, word))) continue
  const found = await (await load()).run()
  const tables = Array.isArray(found) ? (found as readonly BenchTable[]) : [found as BenchTable]
  for (const table of tables) print(table)
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() }
  writeFileSync(
    join(results, `${name}.json`),
    `${JSON.stringify({ schema: 'touchstone/bench/1', machine, tables }, null, 1)}\n`,
  )
}

function print({ title, columns, rows, notes }: BenchTable): void {
  const cells = [columns, ...rows.map((row) => row.map(formatValue))]
  const widths = columns.map((_, c) => Math.max(...cells.map((row) => (row[c] ?? '').length)))
  const lines = cells.map((row) =>
    row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c] as number) : cell.padStart(widths[c] as number))).join('  '),
  )
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n${notes.map((note) => `* ${note}\n`).join('')}`)
}

await writePage(results)
