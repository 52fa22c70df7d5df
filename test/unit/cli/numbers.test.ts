import { run, type StricliProcess } from '@stricli/core'
import { describe, expect, it } from 'vitest'
import { app } from '../../../src/cli/app.ts'
import { commands } from '../../../src/cli/commands/index.ts'
import type { Context } from '../../../src/cli/context.ts'
import { exitCodeOf } from '../../../src/cli/exits.ts'
import { parseExperiment } from '../../../src/runner/index.ts'

interface Flag {
  readonly command: string
  readonly name: string
  readonly parse: (input: string) => unknown
}

/** Every flag that reads a number: one that takes a numeral as a number and refuses a word. */
const numeric: readonly Flag[] = Object.entries(commands).flatMap(([command, { parameters }]) =>
  Object.entries((parameters as { readonly flags?: Readonly<Record<string, object>> }).flags ?? {}).flatMap(
    ([name, flag]) => {
      if (!('parse' in flag) || typeof flag.parse !== 'function') return []
      const parse = flag.parse as Flag['parse']
      return read(parse, 'word').kind === 'refused' && ['0.01', '1', '2'].some((one) => isNumber(read(parse, one)))
        ? [{ command, name, parse }]
        : []
    },
  ),
)

type Read = { readonly kind: 'read'; readonly value: unknown } | { readonly kind: 'refused'; readonly why: string }

function read(parse: Flag['parse'], input: string): Read {
  try {
    return { kind: 'read', value: parse(input) }
  } catch (error) {
    return { kind: 'refused', why: String(error) }
  }
}

function isNumber(one: Read): boolean {
  return one.kind === 'read' && typeof one.value === 'number'
}

/** What the command line says of these arguments, none of which it can take. */
async function said(args: readonly string[]): Promise<{ readonly code: number; readonly stderr: string }> {
  let stderr = ''
  const own: NodeJS.Process = Object.create(process, {
    stderr: { value: { write: (text: string) => (stderr += text) } },
    exitCode: { value: undefined, writable: true },
  })
  await run(app, args, { process: own } as Context & { readonly process: StricliProcess })
  return { code: exitCodeOf(own.exitCode), stderr }
}

const STRANGE = ['-1', '0', '0.5', '1.5', '65536', '100000', '1e300', '1e999', '0x10', 'NaN', 'many', '', ' ']
const kebab = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)

describe('numbers of the command line', () => {
  it('are found in the commands that take them', () => {
    const found = numeric.map(({ command, name }) => `${command} ${name}`)
    for (const one of ['generate count', 'run samples', 'run timeout', 'reproduce limit', 'serve port', 'view port'])
      expect(found).toContain(one)
    expect(found.length).toBeGreaterThan(35)
  })

  it.each(numeric)(
    '$command $name: what does not fit is told with what was expected, what came and what would do',
    async (flag) => {
      const refused = STRANGE.filter((value) => read(flag.parse, value).kind === 'refused')
      expect(refused).toContain('-1')
      expect(refused).toContain('many')
      for (const value of refused) {
        const { code, stderr } = await said([flag.command, `--${kebab(flag.name)}`, value])
        const told = stderr.split('\n').find((line) => line.startsWith(`touchstone: --${kebab(flag.name)}: `)) ?? stderr
        expect(told).toMatch(
          /: expected a (?:whole )?number (?:of at least|above|from) \d.*, came .+; give, for example, [\d.]+$/u,
        )
        expect(told).toContain(value.trim() === '' ? 'came nothing' : value)
        expect(code).toBe(2)
        const example = /[\d.]+$/u.exec(told)?.[0] ?? ''
        expect(read(flag.parse, example)).toEqual({ kind: 'read', value: Number(example) })
      }
    },
  )

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
    const flag = numeric.find((one) => one.command === 'run' && one.name === name)
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
      expect(`${value}: ${read(flag.parse, value).kind}`).toBe(
        `${value}: ${read(() => parseExperiment({ items: { task: 'a/b' }, models: [], ...part(Number(value)) }), value).kind}`,
      )
  })

  it('are told in the same words in an experiment file', () => {
    const limits = (limits: object) => () => parseExperiment({ items: { task: 'a/b' }, limits })
    expect(limits({ concurrency: 0 })).toThrow('limits.concurrency: expected a number of at least 1, came 0')
    expect(limits({ concurrency: 1.5 })).toThrow('limits.concurrency: expected a whole number, came 1.5')
    expect(limits({ timeout: 0 })).toThrow('limits.timeout: expected a number above 0, came 0')
  })
})
