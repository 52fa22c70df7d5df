import { buildCommand } from '@stricli/core'
import type { AnalysisResult } from '../../core/index.ts'
import type { Audit } from '../../datasets/index.ts'
import type { AuditedCell, AuditRequest, Lab } from '../../lab/index.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { interruptible } from '../interrupt.ts'
import { labOf } from '../lab.ts'
import { countOf, inside } from '../numbers.ts'
import { aligned, print, printJson } from '../output.ts'
import { progress } from '../progress.ts'
import { askedConfig, type DatasetFlags, datasetFlags, jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags extends DatasetFlags {
  readonly grid?: readonly string[]
  readonly count: number
  readonly style?: string
  readonly see?: number
  readonly certify?: number
  readonly alpha?: number
  readonly deciding: 'across' | 'within' | 'both'
  readonly undeclared: boolean
  readonly profile?: string
  readonly write: boolean
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const audit = buildCommand<Flags, [string], Context>({
  docs: { brief: 'Look for shortcuts: cheap probes, counts, oracle and witnesses' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'The dataset folder; with --grid the task', parse: text, placeholder: 'dataset' }],
    },
    flags: {
      style: { kind: 'parsed', parse: text, optional: true, brief: 'Audit the prompts of this style' },
      see: {
        kind: 'parsed',
        parse: inside(0, 1, 0.02),
        optional: true,
        brief:
          'Gain that every probe must be able to see for a pass (0.02); where given, an inconclusive audit is exit 1',
      },
      certify: {
        kind: 'parsed',
        parse: inside(0, 1, 0.05),
        optional: true,
        brief: 'Demand that no probe can gain this much',
      },
      alpha: { kind: 'parsed', parse: inside(0, 1, 0.01), optional: true, brief: 'Chance of a false alarm (0.01)' },
      deciding: {
        kind: 'enum',
        values: ['both', 'across', 'within'],
        default: 'both',
        brief: 'Learned probes that decide: fitted on other groups, inside groups, or both',
      },
      undeclared: {
        kind: 'boolean',
        default: false,
        brief: 'As if no shortcut were declared: a control that must fail',
      },
      profile: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'FILE.svg',
        brief: 'Show the locality profile (accuracy of the best learner by level), and draw it there',
      },
      grid: {
        kind: 'parsed',
        parse: text,
        optional: true,
        variadic: true,
        placeholder: 'key=a,b,c',
        brief: 'Audit a set of the task for each combination of these knobs, one line each; repeat for several knobs',
      },
      count: { kind: 'parsed', parse: countOf(5000), default: '5000', brief: 'With --grid: indices of each set' },
      ...datasetFlags,
      write: { kind: 'boolean', default: true, brief: 'Write audit.json and name it in manifest and card' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, folder) {
    const lab = await labOf(flags)
    if (flags.grid !== undefined) return grid(this, lab, folder, flags.grid, flags)
    const bar = progress(this, 'audit')
    const profiles: AnalysisResult[] = []
    try {
      const result = await interruptible(this, (signal) =>
        lab.audit(folder, {
          ...asked(flags),
          ...(flags.profile === undefined ? {} : { onProfile: (profile) => void profiles.push(profile) }),
          write: flags.write,
          onProgress: bar.update,
          signal,
        }),
      )
      bar.end()
      const shown = await drawn(profiles, flags.profile)
      if (isFailure(result, flags)) this.process.exitCode = exits.failed
      if (flags.json) printJson(this, result)
      else print(this, ...(await ownTables(result)), ...shown, ...lines(result))
    } finally {
      bar.end()
    }
  },
})

/** What both an audit and a grid of them are asked. */
const asked = ({ style, see, certify, alpha, deciding, undeclared }: Flags): AuditRequest => ({
  ...(style === undefined ? {} : { style }),
  ...(see === undefined ? {} : { minEffect: see }),
  ...(certify === undefined ? {} : { maxGain: certify }),
  ...(alpha === undefined ? {} : { alpha }),
  crossFit: deciding,
  ignoreDeclared: undeclared,
})

/** Every cell of a grid of knobs; exit 1 where one of them would have it. */
async function grid(context: Context, lab: Lab, name: string, knobs: readonly string[], flags: Flags): Promise<void> {
  const { gridKnobs, gridTable } = await import('./audit-grid.ts')
  const { split, seed, count } = flags
  const config = await askedConfig(lab.task(name), flags)
  const bar = progress(context, 'cells')
  try {
    const rows = await interruptible(context, (signal) =>
      lab.auditGrid({
        task: name,
        config,
        split,
        seed,
        count,
        signal,
        ...asked(flags),
        knobs: gridKnobs(knobs),
        onProgress: bar.update,
      }),
    )
    bar.end()
    if (rows.some((row: AuditedCell) => row.kind === 'refused' || isFailure(row, flags)))
      context.process.exitCode = exits.failed
    if (flags.json) printJson(context, rows)
    else print(context, ...gridTable(rows))
  } finally {
    bar.end()
  }
}

/** A set too small for a verdict fails only where somebody asked for one. */
const isFailure = ({ status }: Pick<Audit, 'status'>, { see }: Flags): boolean =>
  status === 'fail' || status === 'not-testable' || (status === 'inconclusive' && see !== undefined)

/** What the task itself says about its items. */
async function ownTables({ analyses }: Audit): Promise<string[]> {
  if (analyses.length === 0) return []
  const { plainTable } = await import('../../report/index.ts')
  return analyses.flatMap(({ tables }) => tables.flatMap((table) => [table.title, '', plainTable(table)]))
}

/** The profiles as tables; their figures are written to the file. */
async function drawn(profiles: readonly AnalysisResult[], path: string | undefined): Promise<string[]> {
  if (path === undefined) return []
  const { figureSvg, plainTable } = await import('../../report/index.ts')
  const { writeFileAtomic } = await import('../../store/index.ts')
  for (const { tables, figures } of profiles)
    for (const figure of figures ?? []) await writeFileAtomic(path, await figureSvg(figure, tables))
  return profiles.flatMap(({ tables }) => tables.flatMap((table) => [table.title, '', plainTable(table)]))
}

/** What a set of this size cannot show. */
function missed({ power, status }: Audit): string[] {
  if (power.itemsNeeded === null || status === 'fail') return []
  return [
    `${power.underpowered} of ${power.probes} probes would have missed a gain of ${power.gain} (power 80 %); ` +
      `about ${power.itemsNeeded} items of this kind let all see it`,
  ]
}

const verdicts: { readonly [status in Audit['status']]: string } = {
  pass: 'no shortcut was found, and every probe would have seen one of the size asked for',
  inconclusive: 'nothing was found, but the set is too small to call that a pass',
  fail: 'a shortcut, or a count that does not hold',
  'not-testable': 'most items lie in blocks that can tell nothing',
}

const worst = ({ worstGroups }: Audit): string[] =>
  worstGroups.flatMap(({ probe, groups, above, ten }) => [
    `${probe}: ${above} of ${groups} groups above the 99 % line of their own permuted answers (1 in 100 by chance); worst:`,
    ...ten
      .slice(0, 3)
      .map(
        ({ group, items, accuracy, table, p }) =>
          `  group ${group}: ${accuracy.toFixed(3)} of ${items} items by ${table}, p ${p.toPrecision(2)}`,
      ),
  ])

/** Of no item nothing is found, which says nothing. */
const verdictOf = ({ status, checked }: Audit['checks'][number]): string =>
  status === 'fail' ? 'FAIL' : checked === 0 ? 'none' : 'ok  '

function lines(result: Audit): string[] {
  const interesting = result.tests.filter((test) => test.status !== 'pass' && test.status !== 'informational')
  const shown = interesting.length > 0 ? interesting : result.tests.slice(0, 5)
  const head = ['probe', 'status', 'gain', '99 % interval', 'detectable', 'z', 'p (Holm)']
  const rows = shown.map((test) => [
    test.mode === 'within' ? `${test.probe} (in groups)` : test.probe,
    test.status,
    test.gain.toFixed(4),
    `${test.ci[0].toFixed(4)} to ${test.ci[1].toFixed(4)}`,
    test.minimumDetectable.toFixed(4),
    test.z.toFixed(2),
    test.status === 'declared' || test.status === 'not-found' ? '' : test.pAdjusted.toPrecision(2),
  ])
  return [
    ...aligned([head, ...rows], [2, 4, 5, 6]),
    '',
    ...result.checks.map((check) => `${verdictOf(check)} ${check.name}: ${check.message}`),
    '',
    `${result.status}: ${verdicts[result.status]}`,
    `${result.dataset.count} items, ${result.testCount} probes, ${Math.round(result.informativeShare * 100)} % of items in live blocks`,
    `a gain of ${result.minimumDetectable.toFixed(4)} would be found with power 80 %` +
      (result.bound === null
        ? ''
        : `; the best undeclared probe gains at most ${result.bound.upper.toFixed(4)} (${result.bound.probe}, 99 %)`),
    ...missed(result),
    ...worst(result),
    ...(result.maxGain === null || result.maxGain.met
      ? []
      : [
          `not certified below ${result.maxGain.bound}${result.maxGain.itemsNeeded === null ? '' : `: take about ${result.maxGain.itemsNeeded} items`}`,
        ]),
    ...result.notes.map((note) => `note: ${note}`),
  ]
}
