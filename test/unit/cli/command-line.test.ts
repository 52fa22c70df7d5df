import { describe, expect, it } from 'vitest'
import { runCli } from '../../../src/cli/app.ts'
import { runFlags, showFlags } from '../../../src/cli/command-flags.ts'
import { commands, groups } from '../../../src/cli/commands.ts'
import { flagsOf, parseCommandLine } from '../../../src/cli/flags.ts'
import { commandHelp } from '../../../src/cli/help.ts'

async function touchstone(...args: readonly string[]) {
  const written = { stdout: '', stderr: '' }
  const own: NodeJS.Process = Object.create(process, {
    stdout: { value: { columns: 80, write: (text: string) => (written.stdout += text) } },
    stderr: { value: { write: (text: string) => (written.stderr += text) } },
    exitCode: { value: undefined, writable: true },
  })
  await runCli(args, { process: own })
  return { ...written, code: Number(own.exitCode ?? 0) }
}

describe('help', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('%j: one screen that names every command', async (args) => {
    const { stdout, code } = await touchstone(...args)
    const lines = stdout.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(lines.length).toBeLessThanOrEqual(30)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    for (const [name, { summary }] of Object.entries(commands))
      if (!name.includes(' ')) expect(stdout).toContain(`  ${name.padEnd(11)} ${summary}\n`)
    expect(stdout).toContain(`Groups: ${Object.keys(groups).join(', ')}  `)
  })

  it.each(Object.keys(commands))('of %s fits the terminal, and says what every flag does', async (name) => {
    const { stdout } = await touchstone(...name.split(' '), '--help-all')
    expect(stdout).toMatch(new RegExp(`^Usage: touchstone ${name}`, 'u'))
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    for (const { name: flag, description, kind, placeholder } of flagsOf(commands[name]?.flags() ?? runFlags())) {
      expect(stdout).toMatch(new RegExp(`--(?:no-)?${flag}\\b`, 'u'))
      expect(`${flag}: ${description}`).toMatch(/: \S.+/u)
      expect(`${flag}: ${kind === 'switch' || placeholder !== ''}`).toBe(`${flag}: true`)
    }
  })

  it('of run has twelve flags, and the others by --help-all', () => {
    const flags = (all: boolean) => commandHelp('run', all, 80).match(/^ {2}--/gmu)?.length
    expect(flags(false)).toBe(13)
    expect(flags(true)).toBe(flagsOf(runFlags()).length)
  })

  it('of a group lists its commands, and help is a command', async () => {
    expect((await touchstone('exam')).stdout).toContain('  reveal ')
    expect((await touchstone('help', 'run')).stdout).toBe((await touchstone('run', '--help')).stdout)
  })
})

it.each([
  ['init', 'task init'],
  ['score', 'analyze score'],
  ['seal', 'exam seal'],
  ['merge', 'cluster merge'],
])('%s alone is answered with the whole command', async (verb, command) => {
  const { code, stderr } = await touchstone(verb, 'x')
  expect([code, stderr]).toEqual([2, `touchstone: unknown command "${verb}". Did you mean "${command}"?\n`])
})

describe('a command line', () => {
  const parse = (...line: string[]) => parseCommandLine(runFlags(), line)

  it('has flags with their values, lists, switches, and what follows --', () => {
    expect(
      parse('task', '--model', 'a', '--model=b', '--seed', '-1', '--no-wait', '--shard', '1/4', '--', '--x'),
    ).toEqual({
      args: ['task', '--x'],
      flags: { models: ['a', 'b'], seed: '-1', wait: false, shard: { index: 1, of: 4 } },
    })
  })

  it.each([
    [['--modle', 'x'], 'unknown option --modle (did you mean "--model"?). List the options: --help-all'],
    [['--preset'], 'missing value: --preset NAME'],
    [['--preset', '--json'], 'missing value: --preset NAME'],
    [['--json=yes'], '--json takes no value, got "yes"'],
    [['--seed', '1', '--seed', '2'], '--seed: expected one value, got several. Give it once'],
    [['--shard', '4/4'], '--shard: expected I/N, part I of N from 0 to N-1, got "4/4". Example: --shard 0/4'],
    [['-x'], 'unknown option -x'],
  ])('%j is refused with what to do', (line, message) => {
    expect(() => parse(...line)).toThrow(message)
  })

  it('names the flag that is missing, the argument, or the one too many', async () => {
    expect((await touchstone('generate', 'relic/recognize')).stderr).toBe('touchstone: missing --out DIR\n')
    expect((await touchstone('show')).stderr).toBe('touchstone: missing TASK|RUN. Usage: touchstone show TASK|RUN\n')
    expect((await touchstone('show', 'a', 'b')).stderr).toContain('unexpected argument "b"')
    expect((await touchstone('exam', 'comit')).stderr).toBe(
      'touchstone: unknown command "exam comit". Did you mean "exam commit"?\n',
    )
  })

  it('keeps the keys of a request, so that a flag is called like the option of the library', () => {
    expect(parseCommandLine(showFlags(), ['--disagree', 'a', '--disagree', 'b']).flags).toEqual({
      disagree: ['a', 'b'],
    })
  })
})
