import { join } from 'node:path'
import { printableJson } from '../../core/text.ts'
import { jsonReport, skippedName, textReport, withShortNames } from '../../report/index.ts'
import type { FlagsOf, reportFlags } from '../command-flags.ts'
import { folderOf, labOfTasks } from '../lab.ts'
import { type Context, exits, plural, print, printError } from '../output.ts'
import { printTable, printVerdict } from '../run-output.ts'

export default async function report(
  context: Context,
  { json, plugins, verbose, formats, to, ...options }: FlagsOf<typeof reportFlags>,
  path: string,
): Promise<void> {
  const dir = await folderOf(context, path, { plugins })
  const lab = await labOfTasks({ plugins })
  const written = json || to !== undefined ? [] : formats
  const { report: made, out, files } = await lab.report(dir, { ...options, formats: written })
  // All else is written; the exit code says that something is missing.
  if (made.skipped.some(({ cause }) => cause === 'error')) context.process.exitCode = exits.failed
  if (json) {
    context.process.stdout.write(printableJson(jsonReport(made)))
    return
  }
  const skipped = made.skipped.filter(({ cause }) => verbose || options.analyses !== undefined || cause === 'error')
  for (const [reason, same] of Map.groupBy(skipped, (one) => one.reason))
    printError(context, `skipped ${same.map((one) => skippedName(one, made)).join(', ')}: ${reason}`)
  if (to === 'text') {
    context.process.stdout.write(textReport(made))
    return
  }
  const others = made.skipped.length - skipped.length
  if (others > 0)
    printError(
      context,
      `${others === 1 ? '1 analysis does' : `${others} analyses do`} not apply to this run (--verbose lists them)`,
    )
  const [first, second] = withShortNames(made.analyses)
  // A selection is shown above the table that leads without it.
  for (const shown of first?.id === 'core/selection' ? [first, second] : [first]) {
    const table = shown?.tables[0]
    if (table !== undefined) printTable(context, table)
  }
  printVerdict(context, made)
  print(context, `${made.analyses.length} analyses, ${plural(files.length, 'file')} in ${out}`)
  const page = files.find((file) => file.endsWith('.html'))
  if (page !== undefined) print(context, `open ${join(out, page)}`)
}
