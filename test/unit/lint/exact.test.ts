import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

const banned = [
  'export const a = (x: number) => x ** 0.5',
  'export const a = (x: number, y: number) => x ** y',
  'export let a = 2; a **= 3',
  'export const a = Math.log(3)',
  "export const a = Math['exp'](3)",
  'export const a = (name: "exp") => Math[name](3)',
  'const { log } = Math; export const a = log',
  'const m = Math; export const a = m',
  'export const a = globalThis.Math.random()',
  'export const a = Date.now()',
  'export const a = new Date()',
  'export const a = { Date }',
  'export const a = performance.now()',
  'export const a = crypto.getRandomValues',
  'export const a = new Intl.Collator()',
  "export const a = 'a'.localeCompare('b')",
  'export const a = (1.5).toLocaleString()',
]
const allowed = [
  'export const a = 2 ** 53',
  'export const a = (x: number) => 10n ** BigInt(x)',
  'export const a = Math.floor(Math.sqrt(2)) + Math.PI',
  'export interface A { Date: number; self: string }',
  'export const a = { crypto: 1 }.crypto',
]

let folder: string
const place = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), `${text}\n`)
}

/** The paths that the repository's own configuration rejects for inexact arithmetic. */
function rejected(): Set<string> {
  const run = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format=json', 'src'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: { code: string; filename: string }[] }
  return new Set(diagnostics.filter(({ code }) => code === 'touchstone(exact)').map(({ filename }) => filename))
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-lint-'))
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  cpSync(join(root, 'tools/lint'), join(folder, 'tools/lint'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('content may use exact arithmetic only', () => {
  for (const [index, text] of banned.entries()) place(`src/core/banned-${index}.ts`, text)
  for (const [index, text] of allowed.entries()) place(`src/core/allowed-${index}.ts`, text)
  expect([...rejected()].sort()).toEqual(banned.map((_, index) => `src/core/banned-${index}.ts`).sort())
})

test('the rule binds libraries and what draws and presents, not statistics, measures, baselines and analyses', () => {
  rmSync(join(folder, 'src'), { recursive: true, force: true })
  const log = 'export const a = (x: number) => Math.log(x)'
  const bound = [
    ...['core', ...['grammars', 'rewriting', 'graphs', 'language'].map((name) => `libraries/${name}`)].map(
      (name) => `src/${name}/deep/x.ts`,
    ),
    ...['draw.ts', 'plan.ts', 'config.ts', 'request.ts', 'oracle.ts'].map((name) => `src/tasks/family/task/${name}`),
  ]
  const free = [
    'src/libraries/statistics/x.ts',
    'src/store/x.ts',
    'src/tasks/family/analyses/table.ts',
    'src/tasks/family/task/analyses.ts',
    'src/tasks/family/task/baselines.ts',
    'src/tasks/family/task/baselines/ngram.ts',
    'src/tasks/family/task/heuristics.ts',
    'src/tasks/family/task/measure.ts',
  ]
  for (const path of [...bound, ...free]) place(path, log)
  expect([...rejected()].sort()).toEqual(bound.sort())
})
