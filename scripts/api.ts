import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiPages } from './api/pages.ts'

// Writes docs/api from the comments of what package.json exports.

const root = join(import.meta.dirname, '..')
const out = join(root, 'docs/api')
const pages = apiPages(root)
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
for (const [name, page] of pages) writeFileSync(join(out, name), page)
process.stdout.write(`${pages.size} pages in docs/api\n`)
