import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CLIENT_FILES } from '../src/view/server/assets.ts'
import { buildView } from './view/build.ts'

// Builds the pages of `touchstone view` into dist, where the server finds them.

const folder = join(import.meta.dirname, '../dist/view/client')
await buildView(folder)
for (const name of CLIENT_FILES) {
  const bytes = readFileSync(join(folder, name))
  process.stdout.write(`${name} ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped\n`)
}
