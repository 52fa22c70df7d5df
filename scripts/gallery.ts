import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from '../src/core/index.ts'
import { exportView } from '../src/view/server/export.ts'
import { buildView } from './view/build.ts'

/**
 * `npm run gallery [-- --out FOLDER]`: a static site of every task with its knobs, for any file host or a disk. It is the view of
 * nothing: without runs its first page lists the tasks.
 */
const { values } = parseArgs({ options: { out: { type: 'string', default: 'gallery' } } })
const out = resolve(values.out)
const client = mkdtempSync(join(tmpdir(), 'touchstone-gallery-'))
try {
  await buildView(client)
  await exportView({ paths: [], out, plugins: [], client })
  process.stdout.write(`open ${join(out, 'index.html')}\n`)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`gallery: ${error.message}: npm run gallery -- --out FOLDER\n`)
  process.exitCode = 2
} finally {
  rmSync(client, { recursive: true })
}
