import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/write-a-task.md'), 'utf8')
const commands = [...page.matchAll(/```sh\n([^`]+)```/g)].flatMap(([, block]) => (block ?? '').trim().split('\n'))

const folder = scratch()
afterAll(folder.remove)
mkdirSync(folder.path('work'), { recursive: true })
const here = folder.path('work')

it('the commands of docs/write-a-task.md work in their order', async () => {
  expect(commands.length).toBeGreaterThan(10)
  for (const command of commands) {
    const [program, ...args] = command.split(' ')
    if (program === 'npm') {
      const { stdout } = await promisify(execFile)('npm', args, { cwd: here })
      expect(stdout).toContain('touchstone-toy-evens-1.0.0.tgz')
      continue
    }
    expect(program).toBe('touchstone')
    const { code, stderr } = await touchstone(args, {}, here)
    expect([command, code, code === 0 ? '' : stderr]).toEqual([command, 0, ''])
  }
})

it('check names the law, the preset and the item that break', async () => {
  const task = join(here, 'evens/task.js')
  const broken = readFileSync(task, 'utf8').replace(
    'value: prediction === answer ? 1 : 0',
    "value: prediction === answer || prediction === 'odd' ? 1 : 0",
  )
  const plugin = join(here, 'broken.js')
  writeFileSync(plugin, broken)
  const { code, stdout } = await touchstone(['task', 'check', 'toy/evens', '--plugin', plugin])
  expect(code).toBe(1)
  expect(stdout).toMatch(/FAILED {3}oracle +scores an answer 1 exactly when the oracle accepts it/)
  expect(stdout).toMatch(
    /easy, toy\/evens@1\/test\/[0-9a-f]{12}\/\d+: the answer odd is correct by its grade, incorrect by oracle/,
  )
  expect(stdout).toMatch(/fails 2 of \d+ contract tests: oracle, choices/)
  const document = await json<{ readonly failed: readonly string[] }>([
    'task',
    'check',
    'toy/evens',
    '--preset',
    'easy',
    '--plugin',
    plugin,
  ])
  expect(document.failed).toEqual(['oracle', 'choices'])
})

it.each([
  [
    'value: prediction === answer ? 1 : 0',
    'value: prediction === answer ? 1 : Number.NaN',
    /the score of the answer \w+ is NaN, outside 0\.\.1/u,
  ],
  [
    'request: ({ given }) => ({',
    'request: ({ given }) => ({})[given.string] ?? undefined, old: () => ({',
    /the request of style plain is invalid/u,
  ],
])('check sees what would fail in a run only: %s', async (from, to, told) => {
  // A process loads a file once.
  const plugin = join(here, `fails-later-${to.length}.js`)
  const text = readFileSync(join(here, 'evens/task.js'), 'utf8')
  expect(text).toContain(from)
  writeFileSync(plugin, text.replace(from, to))
  const { code, stdout, stderr } = await touchstone(['task', 'check', 'toy/evens', '--plugin', plugin])
  expect([code, stderr]).toEqual([1, ''])
  expect(stdout).toMatch(told)
})

it('check looks at one preset, and at the tasks of the package', async () => {
  const { code, stdout } = await touchstone(['task', 'check', 'pbebench/reorder', '--preset', 'perm'])
  expect([code, stdout.trim().split('\n').at(-1)]).toEqual([
    0,
    expect.stringMatching(/^pbebench\/reorder \(version \d+\) passes all contract tests in pbebench-perm$/),
  ])
})

it.each([
  [['task', 'init', 'Two Words'], /family\/task in lower-case letters/],
  [['task', 'init', 'relic/recognize'], /the task relic\/recognize exists already/],
  [['init', 'house', 'x'], /unknown command "init". Did you mean "task init"\?/],
  [['task', 'init', 'toy/evens'], /holds task\.js, .* already\. Choose another folder: --out DIR/],
  [['run', 'data', '--seed', '4', '--model', 'baseline:gold'], /--seed: fixed by the dataset data/],
])('%j is refused in words', async (args, message) => {
  const { code, stderr } = await touchstone(args, {}, here)
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})
