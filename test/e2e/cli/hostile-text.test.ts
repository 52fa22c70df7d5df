import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Mock, startMock } from '../../mock/server.ts'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'

const ESC = String.fromCodePoint(0x1b)
const C1 = String.fromCodePoint(0x9b)
const BIDI = String.fromCodePoint(0x202e)
const EVIL = `${ESC}]0;owned${C1}31m${BIDI}`
/** Nothing may steer a terminal but what we write ourselves, which here is no terminal. */
const STEERS = /[[\p{Cc}\u202a-\u202e\u2066-\u2069]--[\t\n]]/v

let folder: ReturnType<typeof scratch>
let mock: Mock | null = null
beforeEach(() => {
  folder = scratch()
})
afterEach(async () => {
  await mock?.close()
  mock = null
  folder.remove()
})

const shown = async (args: readonly string[], code: number): Promise<string> => {
  const result = await touchstone(args)
  const all = result.stdout + result.stderr
  expect(all).not.toMatch(STEERS)
  expect(result.code).toBe(code)
  return all
}

describe('hostile text on the terminal is shown by its numbers', () => {
  it.each([
    ['a command', [EVIL], 2],
    ['an argument too many', ['list', EVIL, EVIL], 2],
    ['a flag', [`list`, `--${EVIL}`], 2],
    ['the value of a flag', ['generate', 'relic/recognize', '--count', EVIL], 2],
    ['the name of a task', ['show', EVIL], 2],
    ['the name of a preset', ['show', 'relic/recognize', '--preset', EVIL], 2],
    ['a path', ['verify', `${EVIL}/nowhere`], 2],
  ] as const)('in %s', async (_, args, code) => {
    expect(await shown(args, code)).toContain('u{1b}')
  })

  it('in the name of a run and in the body of a provider', async () => {
    mock = await startMock({ behave: () => 'evil-400' })
    const experiment = folder.path('experiment.yaml')
    writeFileSync(
      experiment,
      `name: ${JSON.stringify(`name ${EVIL}`)}
items: { task: relic/recognize, preset: relic-demo, count: 2 }
models: [{ model: "openai-compatible:m", baseUrl: "${mock.url}" }]
limits: { retries: 0 }
`,
    )
    const out = folder.path('run')
    expect(await shown(['run', experiment, '--out', out], 1)).toContain('u{9b}')
    expect(await shown(['status', out], 0)).toContain('u{1b}')
  })

  it('in the name of a file beside a dataset', async () => {
    const out = folder.path('set')
    const made = ['generate', 'relic/recognize', '--preset', 'relic-demo', '--count', '3', '--out', out]
    await shown(made, 0)
    writeFileSync(join(out, `items${EVIL}.jsonl`.replaceAll('/', '')), '{}\n')
    expect(await shown(['verify', out], 1)).toContain('u{1b}')
  })
})
