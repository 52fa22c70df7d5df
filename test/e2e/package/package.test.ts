import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { nightly } from '../../nightly.ts'
import { addExamples } from './examples.ts'
import { addConsumer, installPackage, root } from './install.ts'

let installed: ReturnType<typeof installPackage>
/** A folder outside any project. */
let elsewhere: string
/** The family of a stranger in it, as the sources begin one. */
let family: string
beforeAll(() => {
  elsewhere = mkdtempSync(join(tmpdir(), 'touchstone-elsewhere-'))
  family = join(elsewhere, 'begun')
  run(join(root, 'touchstone'), ['task', 'init', 'toy/evens', '--out', family], elsewhere)
  run('npm', ['pack', '--silent', family], elsewhere)
  // At once, since npm takes long.
  installed = installPackage(join(elsewhere, 'touchstone-toy-evens-1.0.0.tgz'))
  cpSync(join(root, 'examples/parity.ts'), join(elsewhere, 'parity.ts'))
})
afterAll(() => {
  rmSync(installed.folder, { recursive: true, force: true })
  rmSync(elsewhere, { recursive: true, force: true })
})

const run = (program: string, args: readonly string[], cwd = installed.folder) => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, TOUCHSTONE_HOME: elsewhere },
  })
  return { status, stdout, stderr }
}
const touchstone = (...args: string[]) => run(join(installed.folder, 'node_modules/.bin/touchstone'), args, elsewhere)
const json = (...args: string[]) => {
  const { status, stdout, stderr } = touchstone(...args)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return JSON.parse(stdout) as { readonly [key: string]: unknown }
}

test('the tarball names every package that it brings', () => {
  const bom = JSON.parse(
    readFileSync(join(installed.folder, 'node_modules/@touchstone-eval/touchstone/dist/sbom.cdx.json'), 'utf8'),
  ) as { bomFormat: string; metadata: { component: { name: string } }; components: { name: string; version: string }[] }
  expect([bom.bomFormat, bom.metadata.component.name]).toEqual(['CycloneDX', '@touchstone-eval/touchstone'])
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const named = bom.components.map(({ name, version }) => `${name}@${version}`)
  expect(named).toEqual(expect.arrayContaining(Object.entries(dependencies).map(([name, v]) => `${name}@${v}`)))
})

test('the tarball holds what runs and nothing else', () => {
  const { files } = installed
  const known =
    /^(package\.json|[A-Z]+\.md|CITATION\.cff|LICENSE|llms\.txt|docs\/[A-Za-z0-9/-]+\.(md|png|svg)|skills\/[a-z-]+\/SKILL\.md|bin\/touchstone\.mjs|dist\/.+\.(js|d\.ts)|dist\/sbom\.cdx\.json|dist\/view\/client\/client\.css|dist\/(libraries\/language\/data|models|models\/scoring\/tiny|libraries\/rewriting\/sounds|tasks(\/[a-z-]+){1,3})\/[a-z-]+\.json|examples\/[a-z/-]+[a-zA-Z_-]+\.(bnf|cfg|lark|mjs|py|sh|ts|yaml)|python\/[A-Za-z_]+\.(py|md|toml)|experiments\/[a-z0-9-]+\.yaml|templates\/task\/[A-Za-z.]+)$/
  expect(files.filter((file) => !known.test(file))).toEqual([])
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/cli/main.js',
      'dist/view/client/client.js',
      'dist/view/client/drawing.js',
      'dist/view/client/tasks.js',
    ]),
  )
})

test('npx touchstone --help', () => {
  const { status, stdout } = run('npx', ['--no-install', 'touchstone', '--help'])
  expect(status).toBe(0)
  for (const command of ['list', 'show', 'generate', 'verify'])
    expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'))
})

test('--version is that of package.json', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(touchstone('--version').stdout.trim()).toBe(version)
})

test('list --json is one document with every task of the repository', () => {
  const fromSources = JSON.parse(run(join(root, 'touchstone'), ['list', '--json']).stdout)
  expect(json('list', '--json')).toEqual(fromSources)
})

test('an unknown command and a wrong flag are usage errors', () => {
  expect(touchstone('generatte').status).toBe(2)
  expect(touchstone('list', '--nonsense').status).toBe(2)
})

test('a Node that is too old is told so in one sentence', () => {
  const old = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})'
  const bin = join(installed.folder, 'node_modules/@touchstone-eval/touchstone/bin/touchstone.mjs')
  const { status, stdout, stderr } = run(process.execPath, ['--import', old, bin, 'list'])
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^touchstone needs Node 24\.15 [^\n]*\n$/)
  expect(status).toBe(2)
})

test('a task of a file outside any project is listed, generated by worker threads and verified', () => {
  const plugin = ['--plugin', './parity.ts']
  expect(JSON.stringify(json('list', '--json', ...plugin))).toContain('"toy/parity"')
  const common = ['generate', 'toy/parity', '--preset', 'long', '--count', '300', '--seed', '9', '--json', ...plugin]
  const threads = json(...common, '--out', 'parquet', '--threads', '2')
  const single = json(...common, '--out', 'jsonl', '--threads', '1', '--format', 'jsonl')
  expect(threads['count']).toBe(300)
  expect(single['root']).toBe(threads['root'])
  expect(json('verify', 'parquet', '--json', ...plugin)).toMatchObject({ items: 300, mismatches: 0 })
  expect(json('verify', 'jsonl', '--json', '--threads', '2', ...plugin)).toMatchObject({ items: 300, mismatches: 0 })
  // The sources make the same bytes as the package.
  const out = join(elsewhere, 'sources')
  const { status } = run(join(root, 'touchstone'), [...common, '--out', out, '--format', 'jsonl'], elsewhere)
  expect(status).toBe(0)
  const items = 'items-00000.jsonl'
  expect(readFileSync(join(out, items), 'utf8')).toBe(readFileSync(join(elsewhere, 'jsonl', items), 'utf8'))
})

test('a family of a stranger, packed and installed by name: the flag is needed once', () => {
  // The package begins the same one.
  expect(touchstone('task', 'init', 'toy/evens').status).toBe(0)
  const files = (folder: string) => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  expect(files(join(elsewhere, 'evens'))).toEqual(files(family))
  // Its own tests, as its author runs them.
  const own = join(installed.folder, 'node_modules/touchstone-toy-evens')
  cpSync(join(family, 'task.test.js'), join(own, 'task.test.js'))
  expect(run(process.execPath, ['--test', 'task.test.js'], own).status).toBe(0)
  const at = (...args: string[]) => {
    const { status, stdout, stderr } = run(join(installed.folder, 'node_modules/.bin/touchstone'), [...args, '--json'])
    expect([args[0], status, stderr]).toEqual([args[0], 0, ''])
    return JSON.parse(stdout) as { readonly [key: string]: unknown }
  }
  const asked = ['toy/evens', '--plugin', 'touchstone-toy-evens', '--preset', 'easy', '--count', '400']
  expect(at('generate', ...asked, '--out', 'evens-data')['plugins']).toMatchObject([
    { name: 'touchstone-toy-evens', version: '1.0.0' },
  ])
  expect(at('verify', 'evens-data')).toMatchObject({ items: 400, mismatches: 0 })
  expect(at('run', 'evens-data', '--model', 'baseline:counts', '--out', 'evens-run')).toMatchObject({
    status: 'completed',
  })
  expect(at('report', 'evens-run')).toMatchObject({ rows: 400 })
  // The others load a plugin as these do.
  if (!nightly) return
  expect(at('audit', 'evens-data', '--min-effect', '0.3')).toMatchObject({ status: 'pass' })
  expect(at('task', 'check', 'evens-data')).toMatchObject({ task: 'toy/evens', broken: [] })
  expect(at('verify', 'evens-run')).toMatchObject({ cells: 400, mismatches: 0 })
  const out = ['export', 'evens-data', '--to', 'inspect-dataset', '--out', 'evens-inspect']
  expect(run(join(installed.folder, 'node_modules/.bin/touchstone'), out).status).toBe(0)
})

test('every example of a comment or page is well typed for whoever installed the package', () => {
  const { project, told } = addExamples(installed.folder, root)
  const { status, stdout } = run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], project)
  expect(told(stdout)).toBe('')
  expect(status).toBe(0)
})

// What is well typed by the stricter of the two is so by the other.
test.each(nightly ? (['preserve', 'nodenext'] as const) : (['nodenext'] as const))(
  'a strict TypeScript program imports the library (module %s)',
  (module) => {
    addConsumer(installed.folder, module)
    const checked = run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'])
    expect(checked.stdout).toBe('')
    expect(checked.status).toBe(0)
  },
)

test('a program that imports the library runs', () => {
  addConsumer(installed.folder, 'nodenext')
  const { stdout, stderr } = run(process.execPath, ['consumer.ts'])
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({
    right: 10,
    status: 'completed',
    analyses: expect.arrayContaining(['core/accuracy']),
  })
})

test('Vite bundles the tasks for a browser, and they make the same items there', async () => {
  const page = join(installed.folder, 'page')
  mkdirSync(page)
  writeFileSync(join(page, 'index.html'), '<script type="module" src="/main.js"></script>')
  writeFileSync(
    join(page, 'main.js'),
    `import { families } from '@touchstone-eval/touchstone/tasks'
    const task = families.flatMap(({ tasks }) => tasks).find(({ name }) => name === 'relic/recognize')
    const source = task.source(task.preset('relic-demo').config, { split: 'test', seed: '3' })
    globalThis.hashes = [0, 1, 2].map((index) => source.item(index).hash)`,
  )
  const warnings: string[] = []
  await build({
    root: page,
    logLevel: 'error',
    build: {
      target: 'es2024',
      modulePreload: false,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { onwarn: ({ message }) => warnings.push(message) },
    },
  })
  const [bundle = ''] = readdirSync(join(page, 'dist/assets'))
  // No module of Node was replaced by an empty one.
  expect(warnings).toEqual([])
  const { stdout, stderr } = run(process.execPath, [
    '--input-type=module',
    '-e',
    `await import(${JSON.stringify(join(page, 'dist/assets', bundle))}); console.log(JSON.stringify(globalThis.hashes))`,
  ])
  expect(stderr).toBe('')
  const task = families.flatMap(({ tasks }) => tasks).find(({ name }) => name === 'relic/recognize') as Task
  const source = task.source(task.preset('relic-demo').config, { split: 'test', seed: '3' })
  expect(JSON.parse(stdout)).toEqual([0, 1, 2].map((index) => source.item(index).hash))
})
