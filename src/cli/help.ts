import { commands, groups } from './commands.ts'
import { type Flag, flagsOf, typed } from './flags.ts'
import { wrapped } from './output.ts'

/** Fewest columns that help is laid out for. */
const MIN_WIDTH = 60
/** Where descriptions begin. */
const INDENT = 24

/** The help of a command; `all`: with every flag, under headings. */
export function commandHelp(name: string, all: boolean, columns: number | undefined): string {
  const command = commands[name]
  if (command === undefined) return ''
  const width = Math.max(MIN_WIDTH, columns ?? 80)
  const flags = flagsOf(command.flags())
  const { sections = {}, details = '', common } = command
  const inCommon = common ?? flags.map((flag) => flag.name).filter((flag) => flag !== 'json' && flag !== 'plugin')
  const named = (names: readonly string[]): readonly Flag[] =>
    names.flatMap((one) => flags.find((flag) => flag.name === one) ?? [])
  const listed = new Set([...inCommon, ...Object.values(sections).flat()])
  const others = flags.filter((flag) => !listed.has(flag.name))
  const block = (shown: readonly Flag[]): readonly string[] =>
    shown.flatMap((flag) => entry(`${typed(flag)} ${flag.placeholder}`, flag.description, width))
  const hasCommonSections = common === undefined && Object.keys(sections).length > 0
  const rest = all ? Object.entries(sections).filter(() => common !== undefined) : []
  const inSections = Object.values(sections).flat()
  const lines = [
    ...wrapped(
      `Usage: touchstone ${[name, command.usage, '[OPTIONS]'].filter((part) => part !== '').join(' ')}`,
      width,
    ),
    '',
    ...wrapped(`${command.summary}. ${details}`.trimEnd(), width),
    '',
    ...(hasCommonSections
      ? Object.entries(sections).flatMap(([heading, names], k) => [
          ...(k > 0 ? [''] : []),
          heading,
          ...block(named(names)),
        ])
      : block(named(inCommon))),
    ...(hasCommonSections ? block(named(inCommon.filter((one) => !inSections.includes(one)))) : []),
    ...rest.flatMap(([heading, names]) => ['', heading, ...block(named(names))]),
    ...(all && others.length > 0 ? ['', 'Other', ...block(others)] : []),
    ...(all ? [] : entry('--help-all', command.more ?? `More: ${others.map(typed).join(', ')}`, width)),
  ]
  return lines.join('\n')
}

/** A flag or command with its description, wrapped behind it. */
function entry(label: string, description: string, width: number): readonly string[] {
  const head = `  ${label.trimEnd()}`
  const [first = '', ...more] = wrapped(description, width - INDENT)
  const indented = more.map((line) => `${' '.repeat(INDENT)}${line}`)
  return head.length < INDENT - 1
    ? [`${head.padEnd(INDENT)}${first}`.trimEnd(), ...indented]
    : [head, `${' '.repeat(INDENT)}${first}`, ...indented]
}

/** The help of a group of commands. */
export function groupHelp(group: string, columns: number | undefined): string {
  const width = Math.max(MIN_WIDTH, columns ?? 80)
  const own = Object.entries(commands).filter(([name]) => name.startsWith(`${group} `))
  return [
    `Usage: touchstone ${group} COMMAND [OPTIONS]`,
    '',
    `${groups[group]}.`,
    '',
    ...own.flatMap(([name, { summary }]) => entry(name.slice(group.length + 1), summary, width)),
    '',
    `Options of a command: touchstone ${group} COMMAND --help`,
  ].join('\n')
}
