import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('every dependency has its reason, and no reason outlives its dependency', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>
  const cells = read('docs/decisions/dependencies.md').matchAll(/^\| (`.+?) \|/gm)
  const named = [...cells].flatMap(([, cell]) => (cell ?? '').split(', ').map((name) => name.replaceAll('`', '')))
  expect(named.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort())
})

test('versions are exact', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, v]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(v),
  )
  expect(loose).toEqual([])
})
