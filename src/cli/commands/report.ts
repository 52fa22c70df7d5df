import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import { printableJson } from '../../core/printable.ts'
import type { ReportFormat } from '../../report/index.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { note, print } from '../output.ts'
import { runContext, selectionOf } from '../runs.ts'
import { loadTasks } from '../tasks.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly out?: string
  readonly format?: readonly ReportFormat[]
  readonly parser?: string
  readonly only?: readonly string[]
  readonly where?: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const report = buildCommand<Flags, [string], Context>({
  docs: { brief: 'Tables and figures of a run: HTML, Markdown, JSON, CSV, SVG, PNG' },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'The run folder', parse: text, placeholder: 'run' }] },
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
      where: { kind: 'parsed', parse: text, optional: true, brief: 'A SQL condition over the columns of rows.parquet' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, dir) {
    const { openRun, RUN_FILES, refreshRunRows, withRun } = await import('../../runner/index.ts')
    const { loadFrames } = await import('../../store/index.ts')
    const { jsonReport, makeReport, plainTable, writeReportFiles } = await import('../../report/index.ts')
    const run = await openRun(dir, await runContext(flags.plugin), { mode: 'read' })
    await withRun(run, async (open) => {
      const rows = await refreshRunRows(open)
      const frames = await loadFrames(rows, flags.where === undefined ? {} : { where: flags.where })
      if (frames.length === 0) throw new UsageError(`${dir} holds no responses yet: touchstone resume ${dir}`)
      const made = makeReport({
        run: dir,
        frames,
        tasks: await loadTasks(flags.plugin),
        selection: selectionOf(open),
        ...(flags.parser === undefined ? {} : { parser: flags.parser }),
        ...(flags.only === undefined ? {} : { only: flags.only }),
      })
      // All else is written; whoever waits for the exit code learns that something is missing.
      if (made.leftOut.some(({ cause }) => cause === 'broken')) this.process.exitCode = exits.failed
      if (flags.json) {
        this.process.stdout.write(printableJson(jsonReport(made)))
        return
      }
      const out = flags.out ?? join(dir, RUN_FILES.report)
      const files = await writeReportFiles(made, {
        out,
        ...(flags.format === undefined ? {} : { formats: flags.format }),
      })
      for (const { id, reason } of made.leftOut) note(this, `left out ${id}: ${reason}`)
      const [first, second] = made.analyses
      // What was chosen is shown above the table that leads without it.
      for (const shown of first?.id === 'core/selection' ? [first, second] : [first]) {
        const table = shown?.tables[0]
        if (table !== undefined) print(this, plainTable(table), '')
      }
      print(this, `${made.analyses.length} analyses, ${files.length} files in ${out}`)
      const page = files.find((file) => file.endsWith('.html'))
      if (page !== undefined) print(this, `open ${join(out, page)}`)
    })
  },
})
