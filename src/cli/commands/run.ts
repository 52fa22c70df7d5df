import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { defined } from '../../core/defined.ts'
import { hint, type Task, UsageError } from '../../core/index.ts'
import type { ExperimentInput, Lab, RunResult } from '../../lab/index.ts'
import { experimentPath } from '../../lab/reproduce.ts'
import { rejectOptions } from '../../lab/requests/index.ts'
import { costsMoney, openModel, providers, settingsText } from '../../models/index.ts'
import {
  type DryRun,
  type Experiment,
  parseExperiment,
  readExperiment,
  type SourceCoverage,
} from '../../runner/index.ts'
import { readSelection } from '../../store/index.ts'
import type { FlagsOf, runFlags } from '../command-flags.ts'
import { readText, specFromFlags } from '../configuration.ts'
import { labOfTasks } from '../lab.ts'
import { executionOptions, limitsOf, modelsOf, pricesOf } from '../model-flags.ts'
import { aligned, type Context, print, printError, printJson, printText } from '../output.ts'
import { execute, nextLine, printOutcome, printSummary, setExitCode } from '../run-output.ts'

type Flags = FlagsOf<typeof runFlags>

const DEFAULT_OUT = 'runs/latest'

/** Fixed by a dataset. */
const OF_DATASETS = ['preset', 'config', 'set', 'split', 'seed'] as const
/** Fixed by files of questions. */
const OF_QUESTIONS = ['preset', 'split', 'seed'] as const
/** Fixed by an imported run, or only for generated items. */
const OF_IMPORTS = [
  ...OF_DATASETS,
  'selection',
  'until',
  'alpha',
  'checkEvery',
  'adapt',
  'maxItems',
  'shard',
  'dryRun',
] as const
/** Fixed by an experiment file. */
const OF_EXPERIMENTS = [
  ...OF_DATASETS,
  'styles',
  'templates',
  'samples',
  'temperature',
  'maxTokens',
  'baseUrl',
  'apiKeyEnv',
  'setModel',
  'perStratum',
  'batch',
] as const

export default async function run(context: Context, flags: Flags, what: string): Promise<void> {
  const { out = DEFAULT_OUT } = flags
  if (flags.out === undefined && flags.dryRun !== true && existsSync(join(out, 'run.json')))
    throw new UsageError(
      `${out} holds a run already. Choose a folder for a new run: --out DIR. Continue that one: touchstone resume ${out}`,
    )
  if (existsSync(join(what, 'run.json'))) return runImported(context, flags, what, out)
  const file = (await isExperimentFile(what)) ? await fromFile(what, flags) : null
  const lab = await labFor(what, file, flags)
  const base = file ?? (await fromFlags(what, flags, lab))
  const experiment = parseExperiment({
    ...base,
    ...(flags.selection === undefined ? {} : { selection: [...(await readSelection(flags.selection))] }),
    limits: { ...base.limits, ...limitsOf(flags) },
    ...(flags.adapt === undefined && base.adapt === undefined
      ? untilFromFlags(flags, base)
      : adaptFromFlags(flags, base)),
  })
  const { shard } = flags
  const { prices } = await pricesOf(flags)
  // Of a task and a dataset the experiment says how many items; of a file each source is cut.
  const request = { experiment, prices, shard, count: file === null ? undefined : flags.count }
  if (flags.dryRun) return printPlan(context, await lab.plan(request), experiment, flags.json === true)
  const onReach = flags.json ? undefined : (reach: readonly SourceCoverage[]) => printCoverage(context, reach)
  const result = await execute(context, (progress) =>
    lab.run({ ...request, ...executionOptions(flags), ...progress, onReach, out }),
  )
  // Before the judge has run, its questions have no scores.
  const isJudged = experiment.items.some(({ config }) => config?.['grader'] === 'judge')
  if (await printResult(context, lab, result, flags, !isJudged)) return
  if (shard !== undefined)
    printText(
      context,
      `shard ${shard.index} of ${shard.of}; join the shards: touchstone cluster merge FOLDER... --out DIR`,
      '',
    )
  printText(
    context,
    isJudged ? `next: touchstone analyze judge ${out} --model JUDGE --out ${out}-judged` : nextLine(result),
  )
}

/** JSON may hold questions. */
async function isExperimentFile(what: string): Promise<boolean> {
  if (!/\.json$/i.test(what)) return /\.ya?ml$/i.test(what)
  return !(await import('../../extras/questions/index.ts')).hasQuestions(what)
}

/** A lab with the tasks of an experiment or of a dataset, or with the named task. */
function labFor(what: string, file: Experiment | null, flags: Flags): Promise<Lab> {
  if (file !== null) return labOfTasks(flags, [...new Set(file.items.map(({ task }) => task))])
  return isDataset(what) ? labOfTasks(flags, [], what) : labOfTasks(flags, [what])
}

/** @returns true where nothing else is printed. */
async function printResult(
  context: Context,
  lab: Lab,
  result: RunResult,
  flags: Flags,
  isScored = true,
): Promise<boolean> {
  setExitCode(context, result)
  if (flags.json) {
    printJson(context, result)
    return true
  }
  printOutcome(context, result)
  if (flags.planOnly !== true && isScored) await printSummary(context, lab, result)
  return false
}

/** Runs the models of the flags on the items of an imported release. */
async function runImported(context: Context, flags: Flags, from: string, out: string): Promise<void> {
  rejectOptions(flags, OF_IMPORTS, `the items are those of the imported run ${from}`)
  const lab = await labOfTasks(flags)
  const { styles, templates, count } = flags
  const experiment = {
    name: basename(resolve(from)),
    seed: '1',
    models: await modelsOf(flags, strataOf(flags)),
    limits: limitsOf(flags),
  }
  const request = { experiment, styles, templates, count, prices: (await pricesOf(flags)).prices, out }
  const result = await execute(context, (progress) =>
    lab.runImported(from, { ...request, ...executionOptions(flags), ...progress }),
  )
  if (await printResult(context, lab, result, flags)) return
  print(context, nextLine(result))
}

function printPlan(context: Context, plan: DryRun, experiment: Experiment, json: boolean): void {
  if (json) {
    printJson(context, { schema: 'touchstone/dry-run/1', ...plan })
    return
  }
  const specOf = (name: string): string => experiment.models.find((one) => one.name === name)?.model ?? name
  const rows = plan.models.map((model) => [
    model.model,
    settingsText(model.settings),
    String(model.calls),
    String(model.inputTokens),
    model.outputTokens === null ? 'unlimited' : String(model.outputTokens),
    ...[model.usdLikely, model.usdAtMost].map((usd) => cost(usd, costsMoney(specOf(model.model), providers))),
  ])
  const endsEarly = experiment.adapt !== undefined || experiment.until !== undefined
  printText(
    context,
    plan.exact
      ? `${plan.items} items, ${endsEarly ? 'at most ' : ''}${plan.calls} calls; tokens are estimates`
      : `at most ${plan.items} items and ${plan.calls} calls; tokens are estimates`,
    ...aligned([['model', 'settings', 'calls', 'tokens in', 'max out', 'likely', 'at most'], ...rows], [2, 3, 4, 5, 6]),
  )
  printCoverage(context, plan.sources)
  for (const warning of plan.warnings) printError(context, warning)
}

const cost = (usd: number | null, costs: boolean): string =>
  usd !== null ? `$${usd.toFixed(2)}` : costs ? 'unknown' : 'free'

/** A dataset of the first indices may hold a few groups, and confidence intervals count groups. */
function printCoverage(context: Context, reach: readonly SourceCoverage[]): void {
  for (const { task, config, indices, groups } of reach)
    if (groups !== null)
      printError(
        context,
        `the ${indices} indices of ${task} ${config} are of ${groups.groups} of ${groups.of} groups, those of the dataset. Generate a larger one, or run the task itself, whose --count takes from all groups`,
      )
}

// ---- Experiment files

async function fromFile(path: string, flags: Flags): Promise<Experiment> {
  rejectOptions(flags, OF_EXPERIMENTS, `fixed by the experiment file. Change it in ${path}`)
  const shipped = experimentPath(basename(path, '.yaml'))
  const isShipped = dirname(path) === 'experiments' && !existsSync(path) && existsSync(shipped)
  const experiment = readExperiment(await readText(isShipped ? shipped : path, 'the experiment file'), path)
  const { count: most } = flags
  if (most !== undefined && experiment.items.every(({ count }) => count !== undefined && count < most))
    throw new UsageError(`--count: with an experiment file it takes fewer items. For more, raise count in ${path}`)
  const models = flags.models === undefined ? experiment.models : selected(experiment, flags.models, path)
  const { each } = await pricesOf(flags)
  const priced = (model: string): boolean => each !== undefined && costsMoney(model, providers)
  return {
    ...experiment,
    items: experiment.items.map(({ template, ...entry }) => ({
      ...entry,
      ...defined({ template: template?.map((file) => resolve(dirname(path), file)) }),
    })),
    models: models.map((one) => (priced(one.model) ? { ...one, price: one.price ?? each } : one)),
  }
}

/** `--model NAME` with an experiment file: only these of its models. @throws UsageError */
function selected({ models }: Experiment, names: readonly string[], path: string): Experiment['models'] {
  const known = [...new Set(models.flatMap(({ name, model }) => [name ?? model, model]))]
  for (const name of names)
    if (!known.includes(name))
      throw new UsageError(`--model: ${path} has no model "${name}"${hint(name, known)}; it has ${known.join(', ')}`)
  return models.filter(({ name, model }) => names.includes(model) || names.includes(name ?? model))
}

// ---- Stopping rules

/** `PARAM`, `PARAM=FROM..TO` or `PARAM=FROM..TO/STEP`. */
const ADAPT =
  /^(?<parameter>[^=]+?)(?:=(?<from>-?\d+(?:\.\d+)?)\.\.(?<to>-?\d+(?:\.\d+)?)(?:\/(?<step>\d+(?:\.\d+)?))?)?$/u

/** The adaptive sampling of the flags, over that of the experiment. */
function adaptFromFlags(
  { adapt, until, alpha, checkEvery, maxItems }: Flags,
  base: Experiment,
): Pick<Experiment, 'adapt'> {
  if (alpha !== undefined) throw new UsageError('--alpha: not with --adapt, whose intervals are 95 % ones')
  const found = adapt === undefined ? {} : ADAPT.exec(adapt.trim())?.groups
  if (found === undefined)
    throw new UsageError(`--adapt: expected PARAM, PARAM=FROM..TO or PARAM=FROM..TO/STEP, got "${adapt}"`)
  const { parameter, from, to, step } = found
  const given = defined({
    parameter,
    from: from === undefined ? undefined : Number(from),
    to: to === undefined ? undefined : Number(to),
    step: step === undefined ? undefined : Number(step),
    until,
    checkEvery,
    maxItems,
  })
  return { adapt: { ...base.adapt, ...given } as NonNullable<Experiment['adapt']> }
}

/** The stopping rule of the flags, over that of the experiment. */
function untilFromFlags(
  { until, alpha, checkEvery, maxItems }: Flags,
  base: Experiment,
): Pick<Experiment, 'until'> | object {
  if (maxItems !== undefined)
    throw new UsageError('--max-items: only with --adapt; --count limits the items of other runs')
  const given = defined({ rule: until, alpha, checkEvery })
  if (Object.keys(given).length === 0) return {}
  if (until === undefined && base.until === undefined)
    throw new UsageError('--alpha, --check-every: only with a stopping rule. Example: --until "width<0.05"')
  return { until: { ...base.until, ...given } }
}

// ---- One task or dataset by flags

const isDataset = (what: string): boolean => existsSync(join(what, 'manifest.json'))

/** An experiment of one source: a task by flags, or a dataset. */
async function fromFlags(what: string, flags: Flags, lab: Lab): Promise<Experiment> {
  const sets = existsSync(what) && !isDataset(what) ? lab.tasksAt(what) : []
  if (sets.length > 0)
    rejectOptions(flags, OF_QUESTIONS, `${what} holds questions, which are asked as they stand there`)
  if (sets.length > 1) return ofFolder(what, sets, flags)
  const items = await itemsOf(what, flags, lab)
  // Before the plan, which may take seconds.
  await checkBaselines(flags.models ?? [], lab.task(items.entry.task))
  const experiment: ExperimentInput = {
    name: items.name,
    seed: items.seed,
    items: [{ ...items.entry, ...askedIn(flags) }],
    models: await modelsOf(flags, strataOf(flags)),
  }
  return parseExperiment(experiment)
}

const askedIn = ({ styles, templates }: Flags) => defined({ style: styles?.slice(), template: templates?.slice() })

/** Each file of questions in a folder. */
async function ofFolder(what: string, sets: readonly Task[], flags: Flags): Promise<Experiment> {
  const { set, config, count } = flags
  const items = []
  for (const task of sets) {
    const spec = await specFromFlags(task, { set, config })
    const { size } = task.source(task.configure(spec.config ?? {}), {
      split: 'test',
      seed: '1',
    }).layout
    const most = count === undefined || size === null ? count : Math.min(count, size)
    items.push({ task: task.name, ...spec, ...askedIn(flags), ...defined({ count: most }) })
  }
  const models = await modelsOf(flags, strataOf(flags))
  return parseExperiment({ name: basename(resolve(what)), seed: '1', items, models })
}

const strataOf = ({ perStratum }: Flags): { readonly perStratum: number } | undefined =>
  perStratum === undefined ? undefined : { perStratum }

async function itemsOf(what: string, flags: Flags, lab: Lab) {
  const { split, seed = '1' } = flags
  const count = defined({ count: flags.count })
  if (isDataset(what)) {
    rejectOptions(flags, OF_DATASETS, `fixed by the dataset ${what}`)
    const items = await lab.itemsOf(what)
    return { name: basename(resolve(what)), seed: items.seed, entry: { ...items, ...count } }
  }
  const task = lab.task(what)
  const spec = await specFromFlags(task, flags)
  const entry = { task: what, ...spec, ...defined({ split }), ...count }
  return { name: `${task.name} ${spec.preset ?? 'custom'}`, seed, entry }
}

/** @throws UsageError for a baseline that the task does not have, before any item is drawn. */
async function checkBaselines(specs: readonly string[], task: Task): Promise<void> {
  const environment = { env: {}, openReplay: () => Promise.reject(new Error('a baseline opens no file')) }
  for (const spec of specs)
    if (spec.startsWith('baseline:')) (await openModel(spec, {}, providers, environment)).check?.(task)
}
