import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/index.ts'
import type { Lab, RunResult } from '../../lab/index.ts'
import type { FlagName } from '../../models/index.ts'
import { settingFlags } from '../../models/settings.ts'
import type { DryRun, Experiment, Reach } from '../../runner/index.ts'
import { type AskFlags, limitFlags, limitsOf, modelFlags, modelsOf, wayFlags, wayOf } from '../asking.ts'
import type { Context } from '../context.ts'
import { labOfTasks } from '../lab.ts'
import { countOf, inside, numberFlag } from '../numbers.ts'
import { aligned, note, print, printJson } from '../output.ts'
import { execute, exitAs, experimentFile, nextLine, pricesFile, printOutcome, printSummary } from '../runs.ts'
import { checkBaselines, shareOf } from '../spread.ts'
import {
  type ConfigFlags,
  configFlags,
  jsonFlag,
  optionalSeedFlag,
  pluginFlag,
  rejectFlags,
  resolveConfig,
  shardFlag,
  text,
} from '../words.ts'

interface Flags extends ConfigFlags, AskFlags {
  readonly split?: string
  readonly seed?: string
  readonly count?: number
  readonly style?: readonly string[]
  readonly selection?: string
  readonly spread: boolean
  readonly perStratum?: number
  readonly limit?: number
  readonly until?: string
  readonly alpha?: number
  readonly every?: number
  readonly adapt?: string
  readonly maxItems?: number
  readonly shard?: { readonly index: number; readonly of: number }
  readonly out: string
  readonly dryRun: boolean
  readonly json: boolean
  readonly plugin?: readonly string[]
}

const optional = (brief: string) => ({ kind: 'parsed', parse: text, optional: true, brief }) as const
const several = (brief: string) => ({ kind: 'parsed', parse: text, optional: true, variadic: true, brief }) as const

export const run = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Ask models, score and save: an experiment file, a dataset, imported items, or one task by flags',
    fullDescription:
      'touchstone run experiment.yaml --out DIR, or touchstone run TASK --preset P --model M --out DIR. ' +
      'A stopped run goes on with touchstone resume DIR; nothing is asked twice.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: 'A task, a dataset, an imported run, or an experiment file', parse: text, placeholder: 'what' },
      ],
    },
    flags: {
      ...configFlags,
      split: optional('train, validation, test or a name of your own; left out: test'),
      seed: optionalSeedFlag,
      count: numberFlag(countOf(100), 'Indices 0..N-1; left out: all of a finite config'),
      spread: {
        kind: 'boolean',
        default: false,
        brief: 'With --count: about so many items of all groups, instead of the first; the whole set is drawn for it',
      },
      style: several('Ways of presenting the question; repeat for several'),
      selection: optional('A selection.json (of select): its style for each model, and its parser in reports'),
      ...modelFlags,
      perStratum: numberFlag(countOf(2), 'At most this many items a stratum, for costly models'),
      ...limitFlags,
      limit: numberFlag(countOf(10), 'At most this many indices of each source'),
      until: optional(
        'Stop when this is known, whenever that is looked at: "A>B" (two models; others are asked along and stop with them) or "width<0.05" (of all); with --adapt "x50 width<2" or "x75 se<0.5"',
      ),
      alpha: numberFlag(inside(0, 0.5, 0.05), 'With --until: chance of a wrong verdict; left out: 0.05'),
      every: numberFlag(
        countOf(25, 1_000_000),
        'With --until: groups of items from look to look; left out: 25. With --adapt: items from choice to choice; 5',
      ),
      adapt: optional(
        'KNOB or KNOB=FROM..TO[/STEP]: of each model ask next what tells most about where it breaks along a number of the config or a feature of the items',
      ),
      maxItems: numberFlag(countOf(300, 10_000), 'With --adapt: most items asked of each model; left out: 300'),
      shard: { kind: 'parsed', parse: shardFlag, optional: true, brief: 'Only part i of n (i/n); join with merge' },
      ...wayFlags,
      out: { kind: 'parsed', parse: text, default: 'runs/latest', brief: 'The run folder to make' },
      dryRun: { kind: 'boolean', default: false, brief: 'Only say what would be asked: items, calls, tokens, money' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, what) {
    const { parseExperiment } = await import('../../runner/index.ts')
    const { readSelection } = await import('../../store/index.ts')
    if (existsSync(join(what, 'run.json'))) return askImported(this, await labOfTasks(flags), what, flags)
    const file = /\.(ya?ml|json)$/i.test(what) ? await fromFile(what, flags) : null
    const lab = await labAbout(what, file, flags)
    const written = file ?? (await experimentOf(what, flags, lab))
    const experiment = parseExperiment({
      ...written,
      ...(flags.selection === undefined ? {} : { selection: [...(await readSelection(flags.selection))] }),
      limits: { ...written.limits, ...limitsOf(flags) },
      ...(flags.adapt === undefined && written.adapt === undefined
        ? untilFlags(flags, written)
        : adaptFlags(flags, written)),
    })
    const asked = {
      experiment,
      ...(flags.limit === undefined ? {} : { limit: flags.limit }),
      ...(flags.prices === undefined ? {} : { prices: await pricesFile(flags.prices) }),
    }
    const more = moreGroups(what, file !== null, flags)
    const { out, shard } = flags
    const part = shard === undefined ? {} : { shard }
    if (flags.dryRun) return printPlan(this, await lab.plan({ ...asked, ...part }), experiment, more, flags.json)
    const result = await execute(this, (options) =>
      lab.run({
        ...asked,
        ...options,
        ...part,
        ...(flags.json ? {} : { onReach: (all) => savePrefixes(this, all, more) }),
        ...wayOf(flags),
        out,
      }),
    )
    if (await printed(this, lab, result, flags)) return
    if (shard !== undefined)
      print(this, '', `part ${shard.index} of ${shard.of}: touchstone merge FOLDER... --out DIR joins the parts`)
    print(this, '', nextLine(result))
  },
})

/** The lab with the tasks of an experiment, of a dataset, or the one that is named. */
function labAbout(what: string, file: Experiment | null, flags: Flags): Promise<Lab> {
  if (file !== null) return labOfTasks(flags, [...new Set(file.items.map(({ task }) => task))])
  return isDataset(what) ? labOfTasks(flags, [], what) : labOfTasks(flags, [what])
}

/** @returns whether that was all: as JSON it is. */
async function printed(context: Context, lab: Lab, result: RunResult, { json, ask }: Flags): Promise<boolean> {
  exitAs(context, result)
  if (json) {
    printJson(context, result)
    return true
  }
  printOutcome(context, result)
  if (ask) await printSummary(context, lab, result)
  return false
}

/** What an imported run says itself, or what is of items that are drawn. */
const OF_IMPORTS = [
  ...(['preset', 'config', 'set', 'split', 'seed'] as const),
  'count',
  'spread',
  'selection',
  'until',
  'alpha',
  'every',
  'adapt',
  'maxItems',
  'shard',
  'dryRun',
] as const

/** Asks the items of an imported release of the models of the flags. */
async function askImported(context: Context, lab: Lab, from: string, flags: Flags): Promise<void> {
  rejectFlags(flags, OF_IMPORTS, `the items are those of the imported run ${from}; --limit asks the first of them`)
  const { out, style, limit, prices } = flags
  const result = await execute(context, async (options) =>
    lab.runImported(from, {
      experiment: {
        name: basename(resolve(from)),
        seed: '1',
        models: await modelsOf(flags, ofStratum(flags)),
        limits: limitsOf(flags),
      },
      ...options,
      ...(style === undefined ? {} : { styles: style }),
      ...(limit === undefined ? {} : { limit }),
      ...(prices === undefined ? {} : { prices: await pricesFile(prices) }),
      ...wayOf(flags),
      out,
    }),
  )
  if (await printed(context, lab, result, flags)) return
  print(context, '', nextLine(result))
}

async function printPlan(
  context: Context,
  plan: DryRun,
  experiment: Experiment,
  more: string,
  json: boolean,
): Promise<void> {
  if (json) return printJson(context, { schema: 'touchstone/dry-run/1', ...plan })
  const { costsMoney, providers, settingsText } = await import('../../models/index.ts')
  const specOf = (name: string): string => experiment.models.find((one) => one.name === name)?.model ?? name
  const rows = plan.models.map((model) => [
    model.model,
    settingsText(model.settings),
    String(model.calls),
    String(model.inputTokens),
    model.outputTokens === null ? 'unlimited' : String(model.outputTokens),
    ...[model.usdLikely, model.usdAtMost].map((usd) => money(usd, costsMoney(specOf(model.model), providers))),
  ])
  print(
    context,
    `${plan.items} indices, ${plan.calls} calls; tokens are estimates`,
    ...aligned(
      [['model', 'settings', 'calls', 'tokens in', 'tokens out at most', 'likely cost', 'cost at most'], ...rows],
      [2, 3, 4, 5, 6],
    ),
  )
  savePrefixes(context, plan.sources, more)
}

/** How to reach more groups than the first indices of a set are of. */
function moreGroups(what: string, isFile: boolean, { count, limit, spread }: Flags): string {
  if (isFile) return 'subsample: { share: 0.1 } beside a model of the file, without count, draws from all groups'
  const whole = limit === undefined && (count === undefined || spread)
  return whole && isDataset(what)
    ? 'the set has no others: generate a larger one'
    : '--count with --spread draws from all groups'
}

/**
 * The first indices of a set may be of a few groups, and it is groups that an interval counts.
 *
 * @param more - how to reach more of them.
 */
function savePrefixes(context: Context, reach: readonly Reach[], more: string): void {
  for (const { task, config, indices, prefix } of reach)
    if (prefix !== null)
      note(
        context,
        `the first ${indices} indices of ${task} ${config} are of ${prefix.groups} of ${prefix.of} groups; ${more}`,
      )
}

const money = (usd: number | null, costs: boolean): string =>
  usd !== null ? `$${usd.toFixed(2)}` : costs ? 'unknown' : 'nothing'

/** What an experiment says itself: flags that would say it again are refused. */
const OF_EXPERIMENTS: readonly (keyof Flags)[] = [
  'preset',
  'config',
  'set',
  'split',
  'seed',
  'count',
  'style',
  'model',
  'samples',
  ...(Object.keys(settingFlags) as FlagName[]),
  'baseUrl',
  'baseUrlEnv',
  'apiKeyEnv',
  'setModel',
  'perStratum',
  'price',
  'batch',
]

function fromFile(path: string, flags: Flags): Promise<Experiment> {
  if (flags.spread)
    throw new UsageError(`--spread: in an experiment file this is subsample: { share: 0.1 } beside a model of ${path}`)
  rejectFlags(flags, OF_EXPERIMENTS, `an experiment file says this itself: change ${path}`)
  return experimentFile(path)
}

/** `knob`, `knob=from..to` or `knob=from..to/step`. */
const ALONG = /^(?<knob>[^=]+?)(?:=(?<from>-?\d+(?:\.\d+)?)\.\.(?<to>-?\d+(?:\.\d+)?)(?:\/(?<step>\d+(?:\.\d+)?))?)?$/u

/** How the flags say that a run chooses what it asks, over the experiment. */
function adaptFlags({ adapt, until, alpha, every, maxItems }: Flags, written: Experiment): Pick<Experiment, 'adapt'> {
  if (alpha !== undefined)
    throw new UsageError('--alpha is of --until without --adapt: intervals of curves are 95 % ones')
  const found = adapt === undefined ? {} : ALONG.exec(adapt.trim())?.groups
  if (found === undefined)
    throw new UsageError(`--adapt: expected KNOB, KNOB=FROM..TO or KNOB=FROM..TO/STEP, got "${adapt}"`)
  const { knob, from, to, step } = found
  const given = {
    ...(knob === undefined ? {} : { knob }),
    ...(from === undefined ? {} : { from: Number(from), to: Number(to) }),
    ...(step === undefined ? {} : { step: Number(step) }),
    ...(until === undefined ? {} : { until }),
    ...(every === undefined ? {} : { every }),
    ...(maxItems === undefined ? {} : { maxItems }),
  }
  return { adapt: { ...written.adapt, ...given } as NonNullable<Experiment['adapt']> }
}

/** The rule of the flags, over that of the experiment. */
function untilFlags({ until, alpha, every, maxItems }: Flags, written: Experiment): Pick<Experiment, 'until'> | object {
  if (maxItems !== undefined)
    throw new UsageError('--max-items is of --adapt; --count and --limit bound the items of other runs')
  const given = {
    ...(until === undefined ? {} : { rule: until }),
    ...(alpha === undefined ? {} : { alpha }),
    ...(every === undefined ? {} : { every }),
  }
  if (Object.keys(given).length === 0) return {}
  if (until === undefined && written.until === undefined)
    throw new UsageError('--alpha and --every are of a rule: say it with --until, e.g. --until "width<0.05"')
  return { until: { ...written.until, ...given } }
}

const isDataset = (what: string): boolean => existsSync(join(what, 'manifest.json'))

/** What a dataset says itself. */
const OF_DATASETS = ['preset', 'config', 'set', 'split', 'seed'] as const

/** The items of a dataset, or of a task by flags; and how many indices there are, which may take a plan to know. */
async function itemsOf(what: string, flags: Flags, lab: Lab) {
  const counted = flags.count === undefined || flags.spread ? {} : { count: flags.count }
  if (isDataset(what)) {
    rejectFlags(flags, OF_DATASETS, `the dataset ${what} says this itself`)
    const items = await lab.itemsOf(what)
    return { name: basename(resolve(what)), seed: items.seed, entry: { ...items, ...counted }, size: () => items.count }
  }
  const { preset, config } = await resolveConfig(lab.task(what), flags)
  const split = flags.split === undefined ? {} : { split: flags.split }
  const entry = { task: what, ...(preset === null ? { config } : { preset }), ...split, ...counted }
  const seed = flags.seed ?? '1'
  const size = () => lab.task(what).source(config, { split: flags.split ?? 'test', seed }).layout.size
  return { name: `${what} ${preset ?? 'custom'}`, seed, entry, size }
}

/** One task by flags is an experiment of one entry. */
async function experimentOf(name: string, flags: Flags, lab: Lab): Promise<Experiment> {
  const { parseExperiment } = await import('../../runner/index.ts')
  const items = await itemsOf(name, flags, lab)
  if (flags.spread && flags.perStratum !== undefined)
    throw new UsageError('--spread: --per-stratum draws from all groups already; leave one of them out')
  // Told before the size of the whole set is known, which takes seconds.
  if (flags.spread) await checkBaselines(flags.model, lab.task(items.entry.task))
  const share = flags.spread ? shareOf(flags.count, items.size(), name) : null
  return parseExperiment({
    name: items.name,
    seed: items.seed,
    items: [{ ...items.entry, ...(flags.style === undefined ? {} : { style: flags.style }) }],
    models: await modelsOf(flags, ofStratum(flags) ?? (share === null ? undefined : { share })),
  })
}

const ofStratum = ({ perStratum }: Flags): { readonly perStratum: number } | undefined =>
  perStratum === undefined ? undefined : { perStratum }
