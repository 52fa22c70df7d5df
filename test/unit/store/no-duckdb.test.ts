import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const source = (path: string): string => JSON.stringify(join(import.meta.dirname, '../../../src', path))

/** As after `npm install --omit=optional`. */
const PROGRAM = `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('@duckdb/node-bindings-')) throw new Error('Cannot find module ' + specifier)
      return next(specifier, context)
    },
  })
  const { openLab } = await import(${source('lab/lab.ts')})
  const lab = await openLab()
  const { loadFrames, trimMemory } = await import(${source('store/index.ts')})
  await trimMemory()
  const error = await loadFrames(${source('index.ts')}).catch((error) => error)
  const out = process.argv[1]
  const made = await lab.generate({ task: 'clutrr/kinship', count: 2, out, format: 'parquet' }).catch((error) => error)
  const { existsSync } = await import('node:fs')
  console.log(lab.task("relic/recognize").name, error.kind, error.code, error.message)
  console.log(made.code, existsSync(out))
`

it('what needs no DuckDB works without its native part; the rest says what is missing, and makes no folder before', () => {
  const out = join(mkdtempSync(join(tmpdir(), 'touchstone-no-duckdb-')), 'set')
  const args = ['--conditions=touchstone-source', '--input-type=module', '-e', PROGRAM, out]
  const said = execFileSync(process.execPath, args, { encoding: 'utf8' })
  expect(said).toMatch(
    /^relic\/recognize store not-installed DuckDB.* cannot be loaded .*with its optional dependencies \(Cannot find/u,
  )
  expect(said).toMatch(/\nnot-installed false\n$/u)
})
