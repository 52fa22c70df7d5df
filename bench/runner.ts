import { runnerBench } from './runner/index.ts'

/** `node bench/runner.ts [--quick] [--large]` */
const tables = await runnerBench({ quick: process.argv.includes('--quick'), large: process.argv.includes('--large') })
for (const { title, columns, rows, notes } of tables) {
  process.stdout.write(`\n${title}\n${columns.join(' | ')}\n`)
  for (const row of rows) process.stdout.write(`${row.join(' | ')}\n`)
  for (const note of notes) process.stdout.write(`  ${note}\n`)
}
