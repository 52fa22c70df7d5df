import { createInterface } from 'node:readline/promises'
import type { Lab, ResumeRequest } from '../../lab/index.ts'
import type { FlagsOf, resumeFlags } from '../command-flags.ts'
import { labOfTasks } from '../lab.ts'
import { type Context, plural, print, printError, printJson } from '../output.ts'
import { execute, nextLine, printOutcome, printSummary, setExitCode } from '../run-output.ts'

export default async function resume(
  context: Context,
  { json, plugins, ...options }: FlagsOf<typeof resumeFlags>,
  dir: string,
): Promise<void> {
  const lab = await labOfTasks({ plugins })
  if (options.repair === true) return repair(context, lab, dir, { ...options, repair: true }, json === true)
  const result = await execute(context, (progress) =>
    lab.resume(dir, { ...options, ...progress, ...(isTerminal(context) ? { confirm: ask } : {}) }),
  )
  if (result.retried !== undefined)
    printError(context, result.retried > 0 ? `repeated ${plural(result.retried, 'call')}` : 'no call ended in an error')
  setExitCode(context, result)
  if (json) return printJson(context, result)
  printOutcome(context, result)
  if (options.cancelBatches !== true) await printSummary(context, lab, result)
  print(context, nextLine(result))
}

const isTerminal = ({ process: { stdin, stderr } }: Context): boolean => stdin?.isTTY === true && stderr.isTTY === true

/** Asks a question at the terminal; only `yes` is a yes. */
async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (
      (await terminal.question(`${question}.\nAllow it, now and when this run is resumed here? yes/no: `)).trim() ===
      'yes'
    )
  } catch {
    // Ctrl-C or Ctrl-D.
    return false
  } finally {
    terminal.close()
  }
}

async function repair(
  context: Context,
  lab: Lab,
  dir: string,
  options: ResumeRequest & { readonly repair: true },
  json: boolean,
): Promise<void> {
  const result = await lab.resume(dir, options)
  if (json) return printJson(context, { schema: 'touchstone/repair/1', run: dir, ...result })
  if (result.kind === 'whole') return print(context, `${dir}: the ledger is not damaged`)
  const { faults, salvaged, kept, waiting } = result
  const lost = Object.entries(salvaged.unreadable).filter(([, keys]) => keys > 0)
  print(
    context,
    ...faults.slice(0, 10).map((fault) => `found: ${fault}`),
    `kept: ${salvaged.kept.response} responses, ${salvaged.kept.call} calls, ${salvaged.kept.attempt} attempts`,
    `lost: ${salvaged.dropped} responses that differ from what was recorded${lost.map(([table, keys]) => `, ${keys} unreadable keys of ${table}`).join('')}`,
    `the damaged ledger is ${kept}`,
    waiting > 0 ? `${waiting} calls are pending: touchstone resume ${dir}` : `next: touchstone verify ${dir}`,
  )
}
