import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
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
} finally {
  rmSync(client, { recursive: true })
}
