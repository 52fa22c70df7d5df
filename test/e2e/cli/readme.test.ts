import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { nightly } from '../../nightly.ts'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'
import { shellWords } from './shell-words.ts'

const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
const [, block = ''] = /## Quick start\n\n```sh\n([^`]+)```/.exec(readme) ?? []
/** The environment is taken off. */
const commands = block
  .trim()
  .split('\n')
  .map((line) => shellWords(line.replace(/^[A-Z_]+=\S+ /u, ''), '.') ?? [line])

const folder = scratch()
afterAll(folder.remove)

/** What needs a key, or hours, is asked of an embedded model, or of a few items. */
const here = (args: readonly string[]): readonly string[] => {
  const embedded = args.map((arg) => (arg.startsWith('openai:') ? 'baseline:random' : arg))
  if (args[0] === 'generate' && !nightly) return [...embedded, '--count', '320']
  return args[0] === 'reproduce' ? [...embedded, '--count', '6', '--out', folder.path('reproduced')] : embedded
}
/** These go on until they are stopped; other tests start them. */
const serving = ['serve', 'view']

it('the commands of the quick start work in their order', async () => {
  mkdirSync(folder.path('work'))
  expect(commands.length).toBeGreaterThan(8)
  for (const [program, ...args] of commands) {
    expect(program).toBe('./touchstone')
    const asked = serving.includes(args[0] ?? '') ? [args[0] ?? '', '--help'] : here(args)
    const { code, stderr } = await touchstone(asked, {}, folder.path('work'))
    // A margin that is not shown, and a set too small for a verdict, are findings.
    const fine = args[0] === 'compare' || (args[0] === 'audit' && !nightly) ? [0, 1] : [0]
    expect([asked.join(' '), fine.includes(code ?? -1), fine.includes(code ?? -1) ? '' : stderr]).toEqual([
      asked.join(' '),
      true,
      '',
    ])
  }
})
