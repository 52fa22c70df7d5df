import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { printableJson } from '../../core/text.ts'
import type { ReportFormat } from '../../report/index.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { keepOwnHeapSmall } from '../heap.ts'
import { labOfTasks } from '../lab.ts'
import { note, print } from '../output.ts'
import { printTable } from '../runs.ts'
import { folderOf } from '../stored.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly out?: string
  readonly format?: readonly ReportFormat[]
  readonly parser?: string
  readonly only?: readonly string[]
  readonly where?: string
  readonly reference: boolean
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const report = buildCommand<Flags, [string], Context>({
  docs: { brief: 'Tables and figures of a run: HTML, Markdown, JSON, CSV, SVG, PNG' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'The run folder, or store:RUN', parse: text, placeholder: 'run' }],
    },
    flags: {
      out: { kind: 'parsed', parse: text, optional: true, brief: 'The folder to write; left out: report/ in the run' },
      format: {
        kind: 'enum',
        values: ['html', 'md', 'json', 'csv', 'svg', 'png'],
        optional: true,
        variadic: true,
        brief: 'Only this format; repeat for several; left out: all but png',
      },
      parser: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Whose verdicts count; left out: the one chosen for each model (run --selection), else strict',
      },
      only: {
        kind: 'parsed',
        parse: text,
        optional: true,
        variadic: true,
        brief: 'Only analyses with this id, or the start of one',
      },
      where: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'A SQL condition over the columns of the rows, such as "feature_length > 7"',
      },
      reference: {
        kind: 'boolean',
        default: false,
        brief: 'Put the printed results of the papers beside what was measured, row by row, and after it',
      },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, path) {
    keepOwnHeapSmall(this)
    const dir = await folderOf(this, path, flags.plugin)
    const { jsonReport, skippedName } = await import('../../report/index.ts')
    const lab = await labOfTasks(flags)
    const formats = flags.json ? [] : flags.format
    const { report, out, files } = await lab.report(dir, {
      ...(flags.parser === undefined ? {} : { parser: flags.parser }),
      ...(flags.only === undefined ? {} : { only: flags.only }),
      ...(flags.where === undefined ? {} : { where: flags.where }),
      ...(flags.out === undefined ? {} : { out: flags.out }),
      ...(formats === undefined ? {} : { formats }),
      reference: flags.reference,
    })
    // All else is written; whoever waits for the exit code learns that something is missing.
    if (report.skipped.some(({ cause }) => cause === 'error')) this.process.exitCode = exits.failed
    if (flags.json) {
      this.process.stdout.write(printableJson(jsonReport(report)))
      return
    }
    for (const [reason, left] of Map.groupBy(report.skipped, ({ reason: why }) => why))
      note(this, `left out ${left.map((one) => skippedName(one, report)).join(', ')}: ${reason}`)
    const [first, second] = report.analyses
    // What was chosen is shown above the table that leads without it.
    for (const shown of first?.id === 'core/selection' ? [first, second] : [first]) {
      const table = shown?.tables[0]
      if (table !== undefined) await printTable(this, table)
    }
    print(this, `${report.analyses.length} analyses, ${files.length} files in ${out}`)
    const page = files.find((file) => file.endsWith('.html'))
    if (page !== undefined) print(this, `open ${join(out, page)}`)
  },
})
