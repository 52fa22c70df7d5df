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

test.each(['package-lock.json', 'tools/llama/package-lock.json', 'tools/node/package-lock.json'])(
  'every package of %s is bound to its content',
  (path) => {
    const { packages } = JSON.parse(read(path)) as {
      packages: Record<string, { readonly integrity?: string; readonly link?: true }>
    }
    const unbound = Object.entries(packages).filter(
      ([name, { integrity, link }]) => name !== '' && link !== true && !(integrity ?? '').startsWith('sha512-'),
    )
    expect(unbound.map(([name]) => name)).toEqual([])
  },
)
