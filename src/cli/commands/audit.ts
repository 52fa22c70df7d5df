import { type AnalysisResult, UsageError } from '../../core/index.ts'
import type { Audit, FileAudit } from '../../datasets/index.ts'
import type { Lab } from '../../lab/index.ts'
import { rejectOptions } from '../../lab/requests/index.ts'
import { figureSvg, plainTable } from '../../report/index.ts'
import { writeFileAtomic } from '../../store/index.ts'
import type { auditFlags, FlagsOf } from '../command-flags.ts'
import { configuredBy } from '../configuration.ts'
import { interruptible } from '../interrupt.ts'
import { labOf } from '../lab.ts'
import { aligned, type Context, exits, print, printJson, wrapped } from '../output.ts'
import { progress } from '../progress.ts'
import { gridTable, parseGrid } from './audit-grid.ts'

type Flags = FlagsOf<typeof auditFlags>

/** Flags of an audit of a task with `--grid`. */
const OF_GRID = ['preset', 'config', 'set', 'split', 'seed', 'count'] as const

export default async function audit(context: Context, flags: Flags, path: string, ...also: string[]): Promise<void> {
  const lab = await labOf(flags)
  if (flags.grid !== undefined) return auditGrid(context, lab, path, flags.grid, flags)
  rejectOptions(flags, OF_GRID, `only with --grid; ${path} has its own configuration`)
  const bar = progress(context, 'audit')
  const profiles: AnalysisResult[] = []
  const { write, locality } = flags
  const onProfile = locality === undefined ? undefined : (profile: AnalysisResult) => void profiles.push(profile)
  const result = await interruptible(context, (signal) =>
    lab.audit(path, { ...optionsOf(flags), ...filesOf(flags, also), write, onProfile, onProgress: bar.update, signal }),
  ).finally(bar.end)
  for (const { tables, figures } of profiles)
    for (const figure of figures ?? []) await writeFileAtomic(locality ?? '', await figureSvg(figure, tables))
  if (isFailure(result, flags)) context.process.exitCode = exits.failed
  if (flags.json) return printJson(context, result)
  const tables = [...result.analyses, ...profiles].flatMap((one) => one.tables)
  print(context, ...tables.flatMap((table) => [table.title, '', plainTable(table)]), ...lines(result, context))
}

/** The columns that are named, and further files. */
function filesOf({ field }: Flags, also: readonly string[]) {
  const named = (field ?? []).map((text): [string, string] => {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError(`--field ${text}: expected NAME=COLUMN`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
  return {
    ...(named.length > 0 ? { fields: Object.fromEntries(named) } : {}),
    ...(also.length > 0 ? { also } : {}),
  }
}

const optionsOf = ({ style, minEffect, alpha, ignoreDeclared }: Flags) => ({
  style,
  minEffect,
  alpha,
  ignoreDeclared,
})

/** Audits every combination of parameter values; exit 1 if one of them fails. */
async function auditGrid(
  context: Context,
  lab: Lab,
  task: string,
  grid: readonly string[],
  flags: Flags,
): Promise<void> {
  rejectOptions(flags, ['locality'], 'not with --grid')
  const { split, seed, count } = flags
  const config = await configuredBy(lab.task(task), flags)
  const bar = progress(context, 'audit', 'configurations')
  const request = { task, config, split, seed, count, ...optionsOf(flags), grid: parseGrid(grid) }
  const rows = await interruptible(context, (signal) =>
    lab.auditGrid({ ...request, signal, onProgress: bar.update }),
  ).finally(bar.end)
  if (rows.some((row) => row.kind === 'refused' || isFailure(row, flags))) context.process.exitCode = exits.failed
  if (flags.json) printJson(context, rows)
  else print(context, ...gridTable(rows))
}

/** Too few items fail only where a minimum effect was asked for. */
const isFailure = ({ status }: Pick<Audit, 'status'>, { minEffect }: Flags): boolean =>
  status === 'fail' || status === 'not-testable' || (status === 'inconclusive' && minEffect !== undefined)

const worstGroups = ({ worstGroups: worst }: Audit): string[] =>
  worst.flatMap(({ probe, groups, above, ten }) => [
    `${probe}: ${above} of ${groups} groups exceed the 99 % limit of their own permuted answers (1 in 100 by chance); worst:`,
    ...ten
      .slice(0, 3)
      .map(
        ({ group, items, accuracy, table, p }) =>
          `  group ${group}: ${accuracy.toFixed(3)} of ${items} items by ${table}, p = ${p.toPrecision(2)}`,
      ),
  ])

/** A check of no item shows nothing. */
const checkResult = ({ status, checked }: Audit['checks'][number]): string =>
  status === 'fail' ? 'FAIL' : checked === 0 ? 'none' : 'ok  '

/** Columns of probes, the last ones hidden first where the terminal is too narrow. */
function probeTable(tests: Audit['tests'], width: number): readonly string[] {
  const rows = tests.map((test) => [
    test.mode === 'within' ? `${test.probe} (in groups)` : test.probe,
    test.status,
    test.gain.toFixed(4),
    test.status === 'declared' || test.status === 'not-found' ? '' : test.pAdjusted.toPrecision(2),
    test.minimumDetectable < 1 ? test.minimumDetectable.toFixed(4) : 'none',
    `[${test.ci[0].toFixed(4)}, ${test.ci[1].toFixed(4)}]`,
    test.z.toFixed(2),
  ])
  const head = ['probe', 'status', 'gain', 'p (Holm)', 'min. detectable', '99 % CI', 'z']
  for (let columns = head.length; ; columns--) {
    const table = aligned(
      [head, ...rows].map((row) => row.slice(0, columns)),
      [2, 3, 4, 5, 6],
    )
    if (columns <= 4 || table.every((line) => line.length <= width)) return table
  }
}

function lines(result: Audit | FileAudit, context: Context): readonly string[] {
  const width = context.process.stdout.columns ?? Number.POSITIVE_INFINITY
  const notable = result.tests.filter((test) => test.status !== 'pass')
  const shown = notable.length > 0 ? notable : result.tests.slice(0, 5)
  const fields = 'fields' in result ? Object.entries(result.fields) : []
  return [
    ...(fields.length > 0
      ? [`fields: ${fields.map(([field, column]) => `${field}=${column}`).join(', ')} (change with --field)`, '']
      : []),
    ...probeTable(shown, width),
    '',
    ...result.checks.map((check) => `${checkResult(check)} ${check.name}: ${check.message}`),
    '',
    ...result.verdict,
    `${result.dataset.count} items, ${result.testCount} probes, ${Math.round(result.informativeShare * 100)} % of items in informative answer blocks`,
    ...worstGroups(result),
    ...result.notes.map((note) => `note: ${note}`),
  ].flatMap((line) =>
    line.startsWith(' ') ? [line] : width < line.length && !line.includes('  ') ? wrapped(line, width) : [line],
  )
}
