import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runCli } from '../../../src/cli/app.ts'
import { commands } from '../../../src/cli/commands.ts'
import { type Flag, flagsOf, typed } from '../../../src/cli/flags.ts'
import { parseExperiment } from '../../../src/runner/index.ts'

/** Every flag that reads a number. */
const numeric = Object.entries(commands).flatMap(([command, { flags }]) =>
  flagsOf(flags()).flatMap((flag) => (flag.type instanceof z.ZodNumber ? [{ command, ...flag }] : [])),
)

const accepts = ({ type }: Pick<Flag, 'type'>, text: string): boolean => type.safeParse(Number(text)).success

/** What the command line says of these arguments, none of which it can take. */
async function said(args: readonly string[]): Promise<{ readonly code: number; readonly stderr: string }> {
  let stderr = ''
  const own: NodeJS.Process = Object.create(process, {
    stderr: { value: { write: (text: string) => (stderr += text) } },
    exitCode: { value: undefined, writable: true },
  })
  await runCli(args, { process: own })
  return { code: Number(own.exitCode ?? 0), stderr }
}

const STRANGE = ['-1', '0', '0.5', '1.5', '65536', '100000', '1e300', '1e999', '0x10', 'NaN', 'many', '', ' ']

function fits(experiment: object): boolean {
  try {
    parseExperiment(experiment)
    return true
  } catch {
    return false
  }
}

describe('numbers of the command line', () => {
  it('are found in the commands that take them', () => {
    const found = numeric.map(({ command, name }) => `${command} ${name}`)
    for (const one of ['generate count', 'run samples', 'run timeout', 'reproduce count', 'serve port', 'view port'])
      expect(found).toContain(one)
    expect(found.length).toBeGreaterThan(35)
  })

  it.each(numeric)('$command $name: an error says what was expected, what came, and an example', async (flag) => {
    const refused = STRANGE.filter(
      (value) => value.trim() === '' || !/^[\d.-]+(?:e\d+)?$/u.test(value) || !accepts(flag, value),
    )
    expect(refused).toContain('-1')
    expect(refused).toContain('many')
    for (const value of refused) {
      const { code, stderr } = await said([...flag.command.split(' '), `--${flag.name}=${value}`])
      expect(stderr).toMatch(
        /^touchstone: --[a-z-]+: expected a (?:whole )?number (?:of at least|above|from) \d.*, got .+\. Example: --[a-z-]+ [\d.]+\n$/u,
      )
      expect(stderr).toContain(typed(flag))
      expect(stderr).toContain(value.trim() === '' ? 'got nothing' : value)
      expect(code).toBe(2)
      expect(accepts(flag, flag.example)).toBe(true)
    }
  })

  it.each([
    ['samples', (value: number) => ({ models: [{ model: 'baseline:random', samples: value }] })],
    ['temperature', (value: number) => ({ models: [{ model: 'baseline:random', settings: { temperature: value } }] })],
    ['maxTokens', (value: number) => ({ models: [{ model: 'baseline:random', settings: { maxTokens: value } }] })],
    ['perStratum', (value: number) => ({ models: [{ model: 'baseline:random', subsample: { perStratum: value } }] })],
    ['count', (value: number) => ({ items: { task: 'a/b', count: value } })],
    ['concurrency', (value: number) => ({ limits: { concurrency: value } })],
    ['retries', (value: number) => ({ limits: { retries: value } })],
    ['timeout', (value: number) => ({ limits: { timeout: value } })],
    ['maxUsd', (value: number) => ({ limits: { usd: value } })],
    ['alpha', (value: number) => ({ until: { rule: 'width<0.1', alpha: value } })],
    ['checkEvery', (value: number) => ({ until: { rule: 'width<0.1', checkEvery: value } })],
    ['maxItems', (value: number) => ({ adapt: { parameter: 'length', maxItems: value } })],
  ] as const)('run %s takes exactly what an experiment takes', (name, part) => {
    const flag = numeric.find((one) => one.command === 'run' && one.key === name)
    if (flag === undefined) throw new Error(`run has no ${name}`)
    for (const value of [
      '-1',
      '0',
      '0.4',
      '0.5',
      '1',
      '1.5',
      '2',
      '100',
      '101',
      '10000',
      '10001',
      '1000000',
      '1000001',
    ])
      expect(`${value}: ${accepts(flag, value)}`).toBe(
        `${value}: ${fits({ items: { task: 'a/b' }, models: [], ...part(Number(value)) })}`,
      )
  })

  it('are told in the same words in an experiment file', () => {
    const limits = (limits: object) => () => parseExperiment({ items: { task: 'a/b' }, limits })
    expect(limits({ concurrency: 0 })).toThrow('limits.concurrency: expected a number of at least 1, got 0')
    expect(limits({ concurrency: 1.5 })).toThrow('limits.concurrency: expected a whole number, got 1.5')
    expect(limits({ timeout: 0 })).toThrow('limits.timeout: expected a number above 0, got 0')
  })
})
