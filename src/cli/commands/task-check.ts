import type { ContractReport } from '../../lab/index.ts'
import type { FlagsOf, taskCheckFlags } from '../command-flags.ts'
import { interruptible } from '../interrupt.ts'
import { labOf } from '../lab.ts'
import { aligned, type Context, exits, print, printJson } from '../output.ts'
import { progress } from '../progress.ts'

export default async function taskCheck(
  context: Context,
  { json, plugins, presets }: FlagsOf<typeof taskCheckFlags>,
  what: string,
): Promise<void> {
  const lab = await labOf({ plugins })
  const bar = progress(context, 'check', 'presets')
  const checked = await interruptible(context, (signal) =>
    lab.checkTask(what, { presets, onProgress: bar.update, signal }),
  ).finally(bar.end)
  if (checked.failed.length > 0) context.process.exitCode = exits.failed
  if (json) printJson(context, checked)
  else print(context, ...linesOf(checked))
}

/** Most failures of one test that are printed. */
const MAX_FAILURES = 3

/** One line per test; below it, its failures with their items. */
function linesOf({ task, version, configs, failed }: ContractReport): string[] {
  const tests = configs[0]?.results ?? []
  const several = configs.length > 1
  const rows = tests.flatMap(({ test, description }) => {
    const found = configs.flatMap(({ preset, results }) =>
      results.filter((result) => result.test === test).map((result) => ({ preset, result })),
    )
    const failures = found.filter(({ result }) => result.kind === 'failed')
    const skipped = found.every(({ result }) => result.kind === 'skipped')
    return [
      [failures.length > 0 ? 'FAILED' : skipped ? 'skipped' : 'passed', test, description],
      ...failures.slice(0, MAX_FAILURES).map(({ preset, result }) => {
        if (result.kind !== 'failed') return []
        const where = [several ? (preset ?? 'defaults') : '', result.item ?? ''].filter((part) => part !== '')
        return ['', '', `${where.length === 0 ? '' : `${where.join(', ')}: `}${result.message}`]
      }),
      ...(failures.length > MAX_FAILURES ? [['', '', `and in ${failures.length - MAX_FAILURES} more presets`]] : []),
    ]
  })
  const names = configs.map(({ preset }) => preset ?? 'defaults').join(', ')
  const end =
    failed.length === 0
      ? `${task} (version ${version}) passes all contract tests in ${names}`
      : `${task} (version ${version}) fails ${failed.length} of ${tests.length} contract tests: ${failed.join(', ')}`
  return [...aligned(rows), '', end]
}
