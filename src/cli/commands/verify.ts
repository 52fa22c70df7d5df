import { readFile } from 'node:fs/promises'
import type { Overlap } from '../../datasets/index.ts'
import { parseSeal } from '../../extras/seals/index.ts'
import type { Lab } from '../../lab/index.ts'
import { rejectOptions } from '../../lab/requests/index.ts'
import type { FlagsOf, verifyFlags } from '../command-flags.ts'
import { interruptible } from '../interrupt.ts'
import { labOfTasks } from '../lab.ts'
import { aligned, type Context, exits, plural, print, printJson, printText } from '../output.ts'
import { progress } from '../progress.ts'

type Flags = FlagsOf<typeof verifyFlags>

/** Most problems that are printed. */
const MAX_SHOWN = 50

export default async function verify(context: Context, flags: Flags, path: string): Promise<void> {
  const { json, plugins, disjointFrom, write: _, out: __, ...options } = flags
  const lab = await labOfTasks({ plugins })
  if (disjointFrom !== undefined) return checkDisjoint(context, lab, flags, path)
  rejectOptions(flags, ['out'], 'only with --disjoint-from')
  const bar = progress(context, 'verify')
  const result = await interruptible(context, (signal) =>
    lab.verify(path, { ...options, onProgress: bar.update, signal }),
  ).finally(bar.end)
  if (result.mismatches > 0) context.process.exitCode = exits.failed
  if (json) return printJson(context, result)
  const problems = result.problems.map((problem) => (typeof problem === 'string' ? problem : problemText(problem)))
  const more = problems.length > MAX_SHOWN ? [`... and ${result.mismatches - MAX_SHOWN} more (--json)`] : []
  printText(
    context,
    ...problems.slice(0, MAX_SHOWN),
    ...more,
    ...(await summaryOf(result, path)),
    ...result.notChecked.map((line) => `not verifiable: ${line}`),
  )
}

const problemText = ({ check, message, index }: { check: string; message: string; index?: number | null }): string =>
  `${check}${index === undefined || index === null ? '' : ` index ${index}`}: ${message}`

async function summaryOf(result: Awaited<ReturnType<Lab['verify']>>, path: string): Promise<readonly string[]> {
  const mismatches = `${result.mismatches} mismatch${result.mismatches === 1 ? '' : 'es'}`
  switch (result.schema) {
    case 'touchstone/verify/1':
      return [`${path}: ${result.regenerated} of ${result.items} indices regenerated, ${mismatches}`]
    case 'touchstone/verify-run/1':
      return [
        `${path}: ${plural(result.items, 'item')}, ${plural(result.calls, 'call')}, ${plural(result.responses, 'response')} scored again, ${mismatches}`,
      ]
    case 'touchstone/verify-seal/1':
      return [
        ...(await sealedScores(path)),
        `${path}: ${plural(result.items, 'item')}, ${plural(result.calls, 'call')}, ${mismatches}`,
        `id ${result.id}`,
        ...(result.signedBy === null ? [] : [`signed by ${result.signedBy}`]),
      ]
  }
}

/** The results that a seal states for each model. */
async function sealedScores(path: string): Promise<readonly string[]> {
  const { summary } = parseSeal(await readFile(path, 'utf8'), path)
  return summary.map(({ config, style, model, parser, calls, accuracy }) =>
    [model, config, style, parser, plural(calls, 'call'), accuracy === null ? '' : accuracy.toFixed(4)].join('  '),
  )
}

async function checkDisjoint(context: Context, lab: Lab, flags: Flags, path: string): Promise<void> {
  rejectOptions(flags, ['hashOnly', 'sample', 'oracles', 'audit', 'threads'], 'not with --disjoint-from')
  const { disjointFrom: other, write, out, json } = flags
  const bar = progress(context, 'compare')
  const request = { other, write, out }
  const result = await interruptible(context, (signal) =>
    lab.overlap(path, { ...request, onProgress: bar.update, signal }),
  ).finally(bar.end)
  if (result.status !== 'disjoint') context.process.exitCode = exits.failed
  if (json) printJson(context, result)
  else print(context, ...overlapLines(result))
}

function overlapLines({ items, groups, partition, possible, status, b, notes }: Overlap): string[] {
  const table = [
    ['items', 'L0', items.L0],
    ['items', 'L1', items.L1],
    ['items', 'L2', items.L2],
    ['items', 'form', items.form],
    ['items', 'structure', items.structure],
    ['groups', 'L0', groups?.L0 ?? null],
    ['groups', 'L2', groups?.L2 ?? null],
  ] as const
  const rows = table.flatMap(([kind, level, found]) =>
    found === null
      ? []
      : [[kind, level, found.inA, found.inB, found.insideA, found.insideB, found.shared].map((cell) => String(cell))],
  )
  const proofs = (['a', 'b'] as const).flatMap((side) => {
    const proof = partition[side]
    if (proof === null) return []
    const { checked, violations, split, domain, of } = proof
    return [`partition of ${side}: ${checked - violations} of ${checked} ${of} keys belong to "${split}" (${domain})`]
  })
  return [
    ...aligned([['', 'level', 'in a', 'in b', 'repeated in a', 'repeated in b', 'shared'], ...rows], [2, 3, 4, 5, 6]),
    ...(possible > 0
      ? [`${possible} shared keys may be equal up to renaming: no canonical form was found within the search limit`]
      : []),
    ...proofs,
    ...(partition.disjoint ? ['the split partitions alone prove that the two share no content'] : []),
    ...notes.map((note) => `note: ${note}`),
    `status: ${status}${b !== null && status === 'disjoint' ? ' (nothing is shared)' : ''}`,
  ]
}
