import { join } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import type { PaperItem, PrintedTable, Table } from '../../core/index.ts'
import type { Lab, Reproduction } from '../../lab/index.ts'
import { parseAssignments } from '../../models/index.ts'
import { plainTable } from '../../report/index.ts'
import type { FlagsOf, reproduceFlags } from '../command-flags.ts'
import { labOf } from '../lab.ts'
import { aligned, type Context, exits, print, printError, printJson } from '../output.ts'
import { execute, printOutcome, setExitCode } from '../run-output.ts'

export default async function reproduce(
  context: Context,
  { json, setModel = [], ...options }: FlagsOf<typeof reproduceFlags>,
  id?: string,
): Promise<void> {
  const { settings, headers } = parseAssignments(setModel)
  if (Object.keys(headers).length > 0)
    throw new UsageError('reproduce takes no headers. Copy the experiment file and run it: touchstone run FILE')
  const lab = await labOf({})
  if (id === undefined) return json ? printJson(context, papersOf(lab)) : list(context, lab)
  const { item, printed, made, judged, computed } = await execute(context, (progress) =>
    lab.reproduce(id, {
      ...options,
      ...(setModel.length > 0 && { settings }),
      ...progress,
      formats: json ? [] : undefined,
    }),
  )
  const reports = [made, judged].filter((part) => part !== null)
  if (reports.some(({ report }) => report.report.skipped.some(({ cause }) => cause === 'error')))
    context.process.exitCode = exits.failed
  for (const { run } of reports) setExitCode(context, run)
  if (json) return printJson(context, { schema: 'touchstone/reproduction/1', item, printed, ...made, judged, computed })
  print(context, `${item.item}: ${item.shows}`)
  if (item.differs !== undefined) print(context, item.differs)
  if (computed !== null) showComputed(context, computed)
  if (reports.length === 0) showOther(context, item)
  for (const part of reports) showReported(context, part)
  const beside = reports.some(({ report }) => report.report.analyses.some((one) => one.id === `paper/${item.id}`))
  if ((options.withPaper && !beside) || item.made.by === 'print') showPrinted(context, printed)
}

/** Most rows of a table that are printed; its files hold all. */
const MAX_ROWS = 40

function showTable(context: Context, table: Table, files: string): void {
  const rest = table.rows.length - MAX_ROWS
  print(context, '', table.title, plainTable({ ...table, rows: table.rows.slice(0, MAX_ROWS) }))
  if (rest > 0) print(context, `${rest} more ${rest === 1 ? 'row' : 'rows'} in ${files}`)
}

function showReported(context: Context, { run, report }: NonNullable<Reproduction['made']>): void {
  printOutcome(context, run)
  for (const { id: left, reason } of report.report.skipped) printError(context, `skipped ${left}: ${reason}`)
  for (const { tables } of report.report.analyses)
    for (const table of tables) showTable(context, table, join(report.out, 'tables'))
  const page = report.files.find((file) => file.endsWith('.html'))
  if (page !== undefined) print(context, '', `open ${join(report.out, page)}`)
}

function showComputed(context: Context, { result, out, files }: NonNullable<Reproduction['computed']>) {
  for (const table of result.tables) showTable(context, table, out)
  for (const file of files) print(context, `wrote ${join(out, file)}`)
}

function showOther(context: Context, { made }: PaperItem): void {
  if (made.by === 'page') print(context, `see ${made.page}`)
  if (made.by === 'none') print(context, `not reproduced here: ${made.reason}`)
}

function showPrinted(context: Context, printed: PrintedTable | null): void {
  if (printed === null) {
    print(context, '', 'the paper prints no numbers for this item')
    return
  }
  print(context, '', `as printed (${printed.item}, ${printed.place}): ${printed.title}`, plainTable(printed))
  for (const remark of printed.notes ?? []) print(context, remark)
}

function papersOf({ families }: Lab) {
  return {
    schema: 'touchstone/papers/1',
    papers: families.flatMap(({ paper }) => (paper === undefined ? [] : [paper])),
  }
}

function list(context: Context, lab: Lab): void {
  for (const { title, authors, items } of papersOf(lab).papers)
    print(context, `${authors}: ${title}`, ...aligned(items.map(row), []), '')
  print(context, 'Example: touchstone reproduce relic/figure3')
}

const HOW = { run: 'run', computation: 'computed', page: 'page', print: 'printed', none: 'no' } as const
const row = ({ id, item, shows, made }: PaperItem): readonly string[] => [`  ${id}`, HOW[made.by], item, shows]
