import { readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runnableOf } from '../../../src/lab/plugins.ts'
import { byName } from '../../../src/tasks/by-name.ts'
import { families } from '../../../src/tasks/index.ts'
import { readSources } from './imports.ts'
import { picture } from './picture.ts'
import { budgets, layerOf, layers, namedTasks, roomOf, wrongImports } from './rules.ts'

const root = join(import.meta.dirname, '../../..')
const sources = readSources(root, ['src'])
const names = families.map(({ name, tasks }) => ({ family: name, tasks: tasks.map((task) => task.name) }))

test('every import goes down the pipeline', () => {
  expect(wrongImports(sources)).toEqual([])
})
test('a family is found by the word before the slash in the names of its tasks', async () => {
  const found = await Promise.all(Object.values(byName).map((load) => load()))
  expect(found).toEqual(families)
  expect(Object.keys(byName)).toEqual(families.map(({ name }) => name))
  const prefixes = families.map((family) => [...new Set(runnableOf(family).map(({ name }) => name.split('/')[0]))])
  expect(prefixes).toEqual(Object.keys(byName).map((name) => [name]))
})
test('no room outgrows its budget of lines', () => {
  const sizes = new Map<string, number>()
  for (const [path, text] of sources) {
    const room = roomOf(path)
    if (room !== null) sizes.set(room, (sizes.get(room) ?? 0) + text.split('\n').length - 1)
  }
  expect([...sizes.keys()].sort()).toEqual(Object.keys(budgets).sort())
  expect([...sizes].filter(([room, size]) => size > (budgets[room] ?? 0))).toEqual([])
})
test('no file outside a family names its tasks', () => {
  // Help shows an example.
  expect(namedTasks(sources, names)).toEqual(['src/cli/top-help.ts names the task relic/recognize'])
})

test('help loads no room: what a command does is loaded when it runs', () => {
  const loads = /^(?:import|export) (?!type\b)(?:(?! from ')[^;])*? from '(\.[^']+)'/gmu
  const loaded = new Set(['src/cli/main.ts', 'src/cli/help.ts', 'src/cli/flags.ts', 'src/cli/renamed.ts'])
  for (const path of loaded)
    for (const [, file = ''] of (sources.get(path) ?? '').matchAll(loads)) loaded.add(posix.join(path, '..', file))
  expect(
    [...loaded].filter(
      (path) => !/^src\/(?:cli|core|lab\/requests)\//u.test(path) || /(?<!requests\/)index\.ts$/u.test(path),
    ),
  ).toEqual([])
  expect(loaded).toContain('src/cli/commands.ts')
})

test('the rules name only rooms and packages that exist', () => {
  const rooms = new Set(
    [...sources.keys(), 'package.json'].map((path) => layerOf(path).replace(/^tasks\/.+/, 'tasks/*')),
  )
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly [kind: string]: object
  }
  const packages = ['node:', ...Object.keys({ ...dependencies, ...devDependencies })]
  const rules = Object.entries(layers)
  expect(rules.flatMap(([name, rule]) => [name, ...rule.layers]).filter((name) => !rooms.has(name))).toEqual([])
  expect(
    rules
      .flatMap(([, rule]) => rule.packages)
      .filter((one) => !packages.some((name) => name.startsWith(one.replace('*', '')))),
  ).toEqual([])
})

describe('docs/architecture.md', () => {
  const path = join(root, 'docs/architecture.md')
  const page = readFileSync(path, 'utf8')

  test('draws the imports as they are: TOUCHSTONE_WRITE_PICTURE=1 draws them again', () => {
    const drawn = /```mermaid\n[\s\S]*?```/
    if (process.env['TOUCHSTONE_WRITE_PICTURE'] === '1') writeFileSync(path, page.replace(drawn, picture(sources)))
    else
      expect(drawn.exec(page)?.[0], 'draw it again: TOUCHSTONE_WRITE_PICTURE=1 npx vitest run test/unit/layers').toBe(
        picture(sources),
      )
  })

  test.each(['One item, from seed to figure', 'One call, from plan to table'])(
    '%s: hops through files that exist, at most 14',
    (title) => {
      const [section = ''] = page.split(`## ${title}\n`).slice(1).join('').split('\n## ')
      const hops = [...section.matchAll(/^\| (\d+) \| `([^`]+)` \|/gm)]
      expect(hops.map(([, hop]) => Number(hop))).toEqual(hops.map((_, index) => index + 1))
      expect(hops.length).toBeGreaterThan(8)
      expect(hops.length).toBeLessThanOrEqual(14)
      expect(hops.map(([, , file]) => file).filter((file) => !sources.has(file ?? ''))).toEqual([])
    },
  )
})

describe('the rules can fail', () => {
  const findings = (path: string, text: string) => wrongImports(new Map([[path, text]])).length

  test.each([
    ['src/core/a.ts', "import { x } from '../libraries/grammars/x.ts'"],
    ['src/core/a.ts', "import type { X } from '../libraries/grammars/x.ts'"],
    ['src/core/a.ts', "export * from '../tasks/index.ts'"],
    ['src/core/a.ts', "const x = await import('../store/x.ts')"],
    ['src/core/a.ts', "type X = import('../store/x.ts').X"],
    ['src/core/a.ts', "import { readFileSync } from 'node:fs'"],
    ['src/core/a.ts', "import yaml from 'yaml'"],
    ['src/core/a.ts', "import 'zodiac'"],
    ['src/core/a.ts', 'const x = await import(name)'],
    ['src/libraries/grammars/a.ts', "import { x } from '../graphs/x.ts'"],
    ['src/tasks/one/a.ts', "import { x } from '../two/x.ts'"],
    ['src/tasks/one/a.ts', "import { families } from '../index.ts'"],
    ['src/tasks/one/a.ts', "import fs from 'node:fs'"],
    ['src/runner/a.ts', "import { x } from '../tasks/index.ts'"],
    ['src/datasets/a.ts', "const x = new URL('../cli/worker.ts', import.meta.url)"],
    ['src/store/a.ts', "import { x } from '../../scripts/x.ts'"],
    ['src/view/server/a.ts', "import { x } from '../../cli/x.ts'"],
    ['src/view/server/a.ts', "import { x } from '../client/x.ts'"],
    ['src/view/api/a.ts', "import { x } from '../server/x.ts'"],
    ['src/lab/a.ts', "import { x } from '../cli/x.ts'"],
    ['src/cli/a.ts', 'const x = await import(name)'],
    ['src/utils/a.ts', 'export const x = 1'],
    ['src/index.ts', "export * from './cli/main.ts'"],
    ['src/view/client/a.tsx', "import { x } from '../server/x.ts'"],
    ['src/view/client/a.tsx', "import { x } from '../../store/x.ts'"],
    ['src/view/client/a.tsx', "import type { X } from '../../store/x.ts'"],
    ['src/view/client/a.tsx', "import fs from 'node:fs'"],
  ])('%s: %s', (path, text) => {
    expect(findings(path, text)).toBe(1)
  })

  test.each([
    ['src/libraries/grammars/a.ts', "import { x } from '../../core/x.ts'"],
    ['src/core/a.ts', "import { sha256 } from '@noble/hashes/sha2.js'"],
    ['src/tasks/one/task/a.ts', "import { x } from '../x.ts'; import { y } from '../../../libraries/statistics/y.ts'"],
    ['src/tasks/index.ts', "import { one } from './one/index.ts'"],
    ['src/models/a.ts', "import { x } from 'undici'"],
    ['src/lab/a.ts', 'const x = await import(name)'],
    ['src/view/server/a.ts', "import { x } from '../api/x.ts'; import { y } from '../../lab/y.ts'"],
    ['src/view/client/a.tsx', "import { x } from '../api/x.ts'; import { y } from '../../tasks/index.ts'"],
  ])('%s may: %s', (path, text) => {
    expect(findings(path, text)).toBe(0)
  })

  const known = [{ family: 'one', tasks: ['one/first'] }]
  test.each([
    ['src/cli/a.ts', "if (task === 'one/first') run()"],
    ['src/cli/a.ts', '// like one/first'],
    ['src/cli/a.ts', 'const names = { one: 1 }'],
    ['src/cli/a.ts', 'const name = `one`'],
    ['src/tasks/two/a.ts', "const name = 'one'"],
    ['src/view/client/a.tsx', "const name = 'one'"],
  ])('%s names a task: %s', (path, text) => {
    expect(namedTasks(new Map([[path, text]]), known)).toHaveLength(1)
  })
  test.each([
    ['src/tasks/one/a.ts', "const name = 'one/first'"],
    ['src/tasks/index.ts', "import { one } from './one/index.ts'"],
    ['src/cli/a.ts', '// one of them'],
    ['src/cli/a.ts', "const text = 'this one counts'"],
  ])('%s does not: %s', (path, text) => {
    expect(namedTasks(new Map([[path, text]]), known)).toEqual([])
  })
})
