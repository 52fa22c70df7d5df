import { hint, isUsageError, UsageError } from '../core/errors.ts'
import { printable } from '../core/text.ts'
import type { Command } from './commands.ts'
import { type Context, exits } from './output.ts'
import { topHelp } from './top-help.ts'

const HELP: readonly (string | undefined)[] = ['--help', '-h', 'help', undefined]

/** Runs the command line and sets the exit code of the process. */
export async function runCli(line: readonly string[], context: Context): Promise<void> {
  const { process } = context
  try {
    const [first] = line
    if (line.length <= 1 && HELP.includes(first)) return void process.stdout.write(topHelp)
    if (first === '--version') {
      const { version } = await import('../lab/package.ts')
      return void process.stdout.write(`${version}\n`)
    }
    // `touchstone help run` is `touchstone run --help`.
    await runNamed(first === 'help' ? [...line.slice(1), '--help'] : line, context)
  } catch (error) {
    process.exitCode = isUsageError(error) ? exits.usage : exits.failed
    process.stderr.write(`${printable(errorText(error))}\n`)
  }
}

/** Errors of the user are shown without a stack; ours keep it, for a bug report. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const known = isUsageError(error) || ('kind' in error && error.kind === 'store') || error.name === 'AbortError'
  return known ? `touchstone: ${error.message}` : `touchstone: unexpected error\n${error.stack ?? error.message}`
}

async function runNamed(line: readonly string[], context: Context): Promise<void> {
  const { commands, groups } = await import('./commands.ts')
  const { commandHelp, groupHelp } = await import('./help.ts')
  const [first = '', second = ''] = line
  const isGroup = groups[first] !== undefined
  const name = isGroup ? `${first} ${second}` : first
  const { columns } = context.process.stdout
  const say = (text: string): void => void context.process.stdout.write(`${text}\n`)
  if (isGroup && HELP.includes(second === '' ? undefined : second)) return say(groupHelp(first, columns))
  const command = commands[name]
  if (command === undefined) throw new UsageError(await unknownCommand(first, name, isGroup))
  const rest = line.slice(isGroup ? 2 : 1)
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  if (options.includes('--help-all')) return say(commandHelp(name, true, columns))
  if (options.includes('--help') || options.includes('-h')) return say(commandHelp(name, false, columns))
  await execute(name, command, rest, context)
}

async function unknownCommand(first: string, name: string, isGroup: boolean): Promise<string> {
  const { commands, groups } = await import('./commands.ts')
  // Some people type the verb alone: `score` of `analyze score`.
  const whole = Object.keys(commands).find((one) => !isGroup && one.endsWith(` ${first}`))
  if (whole !== undefined) return `unknown command "${first}". Did you mean "${whole}"?`
  const names = isGroup
    ? Object.keys(commands).filter((one) => one.startsWith(`${first} `))
    : [...Object.keys(commands).filter((one) => !one.includes(' ')), ...Object.keys(groups)]
  const near = hint(name, names)
  return `unknown command "${name.trim()}"${near === '' ? '. List the commands: touchstone --help' : `.${near.replace(' (did', ' Did').replace(/\)$/u, '')}`}`
}

async function execute(name: string, command: Command, rest: readonly string[], context: Context): Promise<void> {
  const { parseCommandLine } = await import('./flags.ts')
  const { flags, args } = parseCommandLine(command.flags(), rest)
  const [min, max] = command.args
  const usage = `Usage: touchstone ${name} ${command.usage}`.trimEnd()
  if (args.length < min) throw new UsageError(`missing ${command.usage.split(' ')[args.length]}. ${usage}`)
  if (args.length > max) throw new UsageError(`unexpected argument "${args[max]}". ${usage}`)
  if (command.smallHeap === true && context.process === globalThis.process) {
    // Before anything else is loaded, which makes the heap grow.
    const { keepHeapSmall } = await import('./interrupt.ts')
    keepHeapSmall()
  }
  type Run = (context: Context, flags: unknown, ...args: readonly string[]) => Promise<void>
  const { default: run } = await command.load()
  await (run as Run)(context, flags, ...args)
}
