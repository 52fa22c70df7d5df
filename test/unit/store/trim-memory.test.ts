import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { platform } from 'node:process'
import { expect, it } from 'vitest'

/** Columns of which every other one is let go of: their room lies between others that are used. */
const PROGRAM = `
  const { trimMemory } = await import(${JSON.stringify(join(import.meta.dirname, '../../../src/store/duck.ts'))})
  await trimMemory()
  let columns = Array.from({ length: 1000 }, () => new Uint8Array(100_000).fill(1))
  columns = columns.filter((_, i) => i % 2 === 0)
  globalThis.gc()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const kept = process.memoryUsage.rss()
  await trimMemory()
  console.log(kept - process.memoryUsage.rss(), columns.length)
`

it.runIf(platform === 'linux')('memory of columns that were let go of goes back to the system', () => {
  const args = ['--expose-gc', '--conditions=touchstone-source', '--input-type=module', '-e', PROGRAM]
  const [given, columns] = execFileSync(process.execPath, args, { encoding: 'utf8' }).split(' ').map(Number)
  expect(columns).toBe(500)
  expect(given).toBeGreaterThan(30 * 2 ** 20)
})
