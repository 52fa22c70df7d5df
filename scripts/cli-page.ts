import { commands, groups } from '../src/cli/commands.ts'
import { commandHelp, groupHelp } from '../src/cli/help.ts'
import { topHelp } from '../src/cli/top-help.ts'

/** Columns of the printed help. */
const WIDTH = 80

const fenced = (text: string): string => `\`\`\`text\n${text.trimEnd()}\n\`\`\``

/** docs/cli.md: the help of every command with all of its flags. */
export function cliPage(): string {
  const flat = Object.keys(commands).filter((name) => !name.includes(' '))
  const section = (name: string, level: string): string =>
    `${level} ${name}\n\n${fenced(commandHelp(name, true, WIDTH))}`
  return `${[
    '# Command line',
    'Every command with all of its flags, as `touchstone COMMAND --help-all` prints them.',
    fenced(topHelp),
    ...flat.map((name) => section(name, '##')),
    ...Object.keys(groups).flatMap((group) => [
      `## ${group}`,
      fenced(groupHelp(group, WIDTH)),
      ...Object.keys(commands)
        .filter((name) => name.startsWith(`${group} `))
        .map((name) => section(name, '###')),
    ]),
  ].join('\n\n')}\n`
}
