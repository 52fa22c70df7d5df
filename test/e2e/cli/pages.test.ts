import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { archiveOf } from '../../unit/exchange/archives.ts'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'
import { shellWords } from './shell-words.ts'

const root = join(import.meta.dirname, '../../..')
const folder = scratch()
afterAll(folder.remove)

const bin = folder.path('bin')
mkdirSync(bin)
const launcher = `#!/bin/sh\nexec "${process.execPath}" --conditions=touchstone-source "${root}/src/cli/main.ts" "$@"\n`
writeFileSync(join(bin, 'touchstone'), launcher, { mode: 0o755 })

const read = (page: string): string => readFileSync(join(root, page), 'utf8')

/** The commands of a page, line by line, as a reader would type them. */
const commandsOf = (page: string): readonly string[] =>
  [...read(page).matchAll(/^```sh\n(.*?)^```$/gmsu)].flatMap(([, block]) => (block ?? '').trim().split('\n'))

/** A comparison that shows no margin, and an audit of a set too small to see what it was asked to see, are findings. */
const finds = (command: string): boolean => /^touchstone (?:compare|audit) /.test(command)

async function follow(page: string, place: string, before?: (command: string) => void): Promise<number> {
  mkdirSync(place, { recursive: true })
  const commands = commandsOf(page)
  for (const command of commands) {
    before?.(command)
    const { code, told } = await typed(command, place)
    expect([command, code, told]).toEqual([command, finds(command) ? expect.toBeOneOf([0, 1]) : 0, told])
  }
  return commands.length
}

/** A command as it is typed; without a shell where it needs none. */
async function typed(command: string, cwd: string): Promise<{ readonly code: number | null; readonly told: string }> {
  const [program, ...args] = shellWords(command, cwd) ?? []
  if (program !== 'touchstone') return bash(command, cwd)
  const { code, stderr } = await touchstone(args, { TOUCHSTONE_HOME: folder.path('home') }, cwd)
  return { code, told: stderr }
}

function bash(command: string, cwd: string): Promise<{ readonly code: number | null; readonly told: string }> {
  return new Promise((resolve) => {
    const path = `${bin}:${join(process.execPath, '..')}:${process.env['PATH']}`
    const child = spawn('bash', ['-c', command], {
      cwd,
      env: { ...process.env, PATH: path, TOUCHSTONE_HOME: folder.path('home') },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let told = ''
    child.stderr.on('data', (data: Buffer) => {
      told += data.toString()
    })
    child.on('close', (code) => resolve({ code, told }))
  })
}

it('the tutorial can be followed from its first command to its last', async () => {
  const place = folder.path('tutorial')
  mkdirSync(place)
  copyFileSync(join(root, 'examples/answer-lines.mjs'), join(place, 'answer-lines.mjs'))
  expect(await follow('docs/tutorial.md', place)).toBeGreaterThan(15)
}, 240_000)

it('the model of the tutorial is the one in examples/', () => {
  const [, shown = ''] = /```js\n(.*?)```/su.exec(read('docs/tutorial.md')) ?? []
  const code = (text: string): readonly string[] =>
    text.match(/import .+|for await .+|const \{ id.+|process\.stdout\.write.+/g) ?? []
  expect(code(shown)).toEqual(code(read('examples/answer-lines.mjs')))
  expect(code(shown)).toHaveLength(4)
})

/** The logs of other programs that the page on formats assumes its reader to have. */
function writeLogs(place: string): void {
  const questions = [...'abcdefgh']
  const inspect = (model: string, right: string): Uint8Array =>
    archiveOf(
      [
        ['header.json', { version: 2, status: 'success', eval: { task: 'quiz', model, scorers: [{ name: 'match' }] } }],
        ...questions.map(
          (id) =>
            [
              `samples/${id}_epoch_1.json`,
              {
                id,
                epoch: 1,
                input: `${id}?`,
                target: 'x',
                scores: { match: { value: right.includes(id) ? 'C' : 'I' } },
              },
            ] as const,
        ),
      ].map(([path, content]) => ({ path: String(path), text: JSON.stringify(content), method: 8 })),
    )
  const harness = (right: string): string =>
    questions
      .map((id, n) =>
        JSON.stringify({
          doc_id: n,
          doc: { question: `${id}?` },
          target: 'x',
          arguments: { gen_args_0: { arg_0: `${id}?` } },
          resps: [['x']],
          filtered_resps: ['x'],
          filter: 'none',
          metrics: ['exact_match'],
          exact_match: right.includes(id) ? 1 : 0,
        }),
      )
      .join('\n')
  for (const [path, content] of [
    ['gpt.eval', inspect('maker/gpt', 'abcdefg')],
    ['claude.eval', inspect('maker/claude', 'abc')],
    ['logs/gpt.eval', inspect('maker/gpt', 'abcdefg')],
    ['a/samples_gsm8k_X.jsonl', harness('abcdefg')],
    ['b/samples_gsm8k_Y.jsonl', harness('abc')],
  ] as const) {
    mkdirSync(join(place, path, '..'), { recursive: true })
    writeFileSync(join(place, path), content)
  }
}

it('the commands of the page on other formats work', async () => {
  const place = folder.path('exchange')
  const logs = (command: string): void => {
    if (command.startsWith('touchstone compare gpt.eval')) writeLogs(place)
  }
  expect(await follow('docs/exchange.md', place, logs)).toBeGreaterThan(6)
  const again = await touchstone(['show', 'again', '--json'], {}, folder.path('exchange'))
  expect(JSON.parse(again.stdout)).toMatchObject({ counts: { done: 12 } })
}, 240_000)

/** Languages that a page has code in, with what their code needs. */
const ANALYSTS = {
  python: { program: process.env['PYTHON'] ?? 'python3', needs: ['-c', 'import pandas, statsmodels'], run: ['-c'] },
  r: { program: 'Rscript', needs: ['-e', 'library(lme4)'], run: ['-e'] },
} as const

it('the page on R and pandas: its commands work, and its code finds the difference that compare prints', async (context) => {
  const place = folder.path('analysis')
  expect(await follow('docs/analysis.md', place)).toBe(4)
  const compared = ['compare', 'runs/table', '--model', 'baseline:cyk-to-length-8', '--model', 'baseline:bigram']
  const { stdout } = await touchstone([...compared, '--json'], {}, place)
  const { value } = (JSON.parse(stdout) as { overall: { difference: { value: number } } }).overall.difference
  const missing: string[] = []
  for (const [language, { program, needs, run }] of Object.entries(ANALYSTS)) {
    if (spawnSync(program, needs).status !== 0) {
      missing.push(language)
      continue
    }
    const [, code = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'su').exec(read('docs/analysis.md')) ?? []
    const found = spawnSync(program, [...run, code], { cwd: place, encoding: 'utf8' })
    expect([language, found.status, found.stderr]).toEqual([language, 0, expect.any(String)])
    // Three digits, as the summaries have; models are in the order of the alphabet.
    expect(found.stdout).toContain(Math.abs(value).toFixed(3))
  }
  if (missing.length === Object.keys(ANALYSTS).length)
    context.skip(`not installed with what the code needs: ${missing.join(', ')}`)
}, 240_000)
