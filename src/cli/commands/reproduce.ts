import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import type { PaperItem, PrintedTable, Table } from '../../core/index.ts'
import type { Lab, Reproduction } from '../../lab/index.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { labOf } from '../lab.ts'
import { countOf } from '../numbers.ts'
import { aligned, note, print, printJson } from '../output.ts'
import { execute, exitAs, printOutcome } from '../runs.ts'
import { jsonFlag, text } from '../words.ts'

interface Flags {
  readonly model?: readonly string[]
  readonly judge?: readonly string[]
  readonly samples?: number
  readonly limit?: number
  readonly out?: string
  readonly reference: boolean
  readonly json: boolean
}

export const reproduce = buildCommand<Flags, [string?], Context>({
  docs: {
    brief: 'A table or figure of one of the four papers, from a run of its experiment or computed',
    fullDescription:
      'touchstone reproduce lists every table, figure and experiment of the papers. touchstone reproduce relic/figure3 runs ' +
      'the experiment behind it with embedded models, or with --model, and shows its tables. Items of one experiment ' +
      'share its run, so the second costs nothing.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'family/table1, family/figure2, ...', parse: text, placeholder: 'item', optional: true }],
    },
    flags: {
      model: {
        kind: 'parsed',
        parse: text,
        optional: true,
        variadic: true,
        brief: 'provider:model, not embedded ones',
      },
      judge: {
        kind: 'parsed',
        parse: text,
        optional: true,
        variadic: true,
        brief: 'provider:model that judges chains of thought, where the item needs a judge; left out: an embedded one',
      },
      samples: {
        kind: 'parsed',
        parse: countOf(1),
        optional: true,
        brief: 'Responses to each item by every model; left out: as many as the experiment file says',
      },
      limit: {
        kind: 'parsed',
        parse: countOf(10),
        optional: true,
        brief: 'At most this many indices of each source, or steps of what is computed',
      },
      out: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'The run folder; left out: runs/reproduce/EXPERIMENT',
      },
      reference: { kind: 'boolean', default: false, brief: 'Put what the paper prints beside it, row by row' },
      json: jsonFlag,
    },
  },
  async func(flags, id) {
    const lab = await labOf({})
    if (id === undefined) return flags.json ? printJson(this, papersOf(lab)) : list(this, lab)
    const { item, printed, made, judged, computed } = await execute(this, (options) =>
      lab.reproduce(id, {
        ...options,
        ...(flags.model === undefined ? {} : { models: flags.model }),
        ...(flags.judge === undefined ? {} : { judges: flags.judge }),
        ...(flags.samples === undefined ? {} : { samples: flags.samples }),
        ...(flags.limit === undefined ? {} : { limit: flags.limit }),
        ...(flags.out === undefined ? {} : { out: flags.out }),
        ...(flags.json ? { formats: [] } : {}),
        reference: flags.reference,
      }),
    )
    const reports = [made, judged].filter((part) => part !== null)
    if (reports.some(({ report }) => report.report.skipped.some(({ cause }) => cause === 'error')))
      this.process.exitCode = exits.failed
    for (const { run } of reports) exitAs(this, run)
    if (flags.json)
      return printJson(this, { schema: 'touchstone/reproduction/1', item, printed, ...made, judged, computed })
    print(this, `${item.item}: ${item.shows}`)
    if (item.differs !== undefined) print(this, item.differs)
    if (computed !== null) await showComputed(this, computed)
    if (reports.length === 0) notMade(this, item)
    for (const part of reports) await showReported(this, part)
    const beside = reports.some(({ report }) => report.report.analyses.some((one) => one.id === `paper/${item.id}`))
    if ((flags.reference && !beside) || item.made.by === 'print') await showPrinted(this, printed)
  },
})

/** So many rows of a table are read on a terminal; all of them stand in its files. */
const MAX_ROWS = 40

async function showTable(context: Context, table: Table, files: string): Promise<void> {
  const { plainTable } = await import('../../report/index.ts')
  const rest = table.rows.length - MAX_ROWS
  print(context, '', table.title, plainTable({ ...table, rows: table.rows.slice(0, MAX_ROWS) }))
  if (rest > 0) print(context, `${rest} more ${rest === 1 ? 'row' : 'rows'} in ${files}`)
}

async function showReported(context: Context, { run, report }: NonNullable<Reproduction['made']>): Promise<void> {
  printOutcome(context, run)
  for (const { id: left, reason } of report.report.skipped) note(context, `left out ${left}: ${reason}`)
  for (const { tables } of report.report.analyses)
    for (const table of tables) await showTable(context, table, join(report.out, 'tables'))
  const page = report.files.find((file) => file.endsWith('.html'))
  if (page !== undefined) print(context, '', `open ${join(report.out, page)}`)
}

async function showComputed(context: Context, { result, out, files }: NonNullable<Reproduction['computed']>) {
  for (const table of result.tables) await showTable(context, table, out)
  for (const file of files) print(context, `wrote ${join(out, file)}`)
}

function notMade(context: Context, { made }: PaperItem): void {
  if (made.by === 'page') print(context, `see ${made.page}`)
  if (made.by === 'none') print(context, `not made here: ${made.reason}`)
}

async function showPrinted(context: Context, printed: PrintedTable | null): Promise<void> {
  if (printed === null) return print(context, '', 'the paper prints no numbers for this')
  const { plainTable } = await import('../../report/index.ts')
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
  print(context, 'touchstone reproduce relic/figure3 makes one; docs/families has them all with their reasons')
}

const HOW = { run: 'run', computation: 'computed', page: 'page', print: 'printed', none: 'no' } as const
const row = ({ id, item, shows, made }: PaperItem): readonly string[] => [`  ${id}`, HOW[made.by], item, shows]
