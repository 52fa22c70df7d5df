import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { buildCommand } from '@stricli/core'
import { type Json, UsageError } from '../../core/index.ts'
import type { Lab, ModelInput, RunResult } from '../../lab/index.ts'
import type { DryRun, Experiment } from '../../runner/index.ts'
import type { Context } from '../context.ts'
import { labOf } from '../lab.ts'
import { aligned, note, print, printJson } from '../output.ts'
import { execute, exitAs, experimentFile, pricesFile, printOutcome, printSummary } from '../runs.ts'
import { shareOf } from '../spread.ts'
import {
  type ConfigFlags,
  configFlags,
  dollars,
  jsonFlag,
  number,
  optionalSeedFlag,
  pluginFlag,
  priceFlag,
  refuseFlags,
  resolveConfig,
  shardFlag,
  text,
  wholeNumber,
} from '../words.ts'

interface Flags extends ConfigFlags {
  readonly split?: string
  readonly seed?: string
  readonly count?: number
  readonly style?: readonly string[]
  readonly selection?: string
  readonly model?: readonly string[]
  readonly samples?: number
  readonly temperature?: number
  readonly maxTokens?: number
  readonly baseUrl?: string
  readonly baseUrlEnv?: string
  readonly apiKeyEnv?: string
  readonly spread: boolean
  readonly perStratum?: number
  readonly concurrency?: number
  readonly timeout?: number
  readonly retries?: number
  readonly price?: { readonly input: number; readonly output: number }
  readonly prices?: string
  readonly maxUsd?: number
  readonly limit?: number
  readonly until?: string
  readonly alpha?: number
  readonly every?: number
  readonly ask: boolean
  readonly batch: boolean
  readonly cache?: string
  readonly offline: boolean
  readonly poll?: number
  readonly wait: boolean
  readonly shard?: { readonly index: number; readonly of: number }
  readonly out: string
  readonly dryRun: boolean
  readonly preflight: boolean
  readonly durable: boolean
  readonly json: boolean
  readonly plugin?: readonly string[]
}

const optional = (brief: string) => ({ kind: 'parsed', parse: text, optional: true, brief }) as const
const count = (brief: string) => ({ kind: 'parsed', parse: wholeNumber, optional: true, brief }) as const
const real = (brief: string) => ({ kind: 'parsed', parse: number, optional: true, brief }) as const
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
      count: count('Indices 0..N-1; left out: all of a finite config'),
      spread: {
        kind: 'boolean',
        default: false,
        brief: 'With --count: about so many items of all groups, instead of the first; the whole set is drawn for it',
      },
      style: several('Ways of presenting the question; repeat for several'),
      selection: optional('A selection.json (of select): its style for each model, and its parser in reports'),
      model: several('provider:model, e.g. baseline:random or openai:NAME; repeat for several'),
      samples: count('Responses to each item; left out: 1'),
      temperature: real('Sampling temperature'),
      maxTokens: count('Most tokens of a response'),
      baseUrl: optional('Base URL of an OpenAI-compatible server'),
      baseUrlEnv: optional('Environment variable that holds the base URL'),
      apiKeyEnv: optional('Environment variable that holds the key'),
      perStratum: count('At most this many items a stratum, for costly models'),
      concurrency: count('Most calls at once to one provider'),
      timeout: real('Seconds until a call is given up'),
      retries: count('Further attempts after a failure that may pass'),
      price: {
        kind: 'parsed',
        parse: priceFlag,
        optional: true,
        brief: 'INPUT,OUTPUT of the models that cost money, in US dollars for a million tokens',
      },
      prices: optional('A price file (as `touchstone prices` prints one) instead of the one in the package'),
      maxUsd: { kind: 'parsed', parse: dollars, optional: true, brief: 'Stop before more than this is spent' },
      limit: count('At most this many indices of each source'),
      until: optional('Stop when this is known, whenever that is looked at: "A>B" (two models) or "width<0.05"'),
      alpha: real('With --until: chance of a wrong verdict; left out: 0.05'),
      every: count('With --until: groups of items from look to look; left out: 25'),
      shard: { kind: 'parsed', parse: shardFlag, optional: true, brief: 'Only part i of n (i/n); join with merge' },
      ask: { kind: 'boolean', default: true, brief: 'Ask the models; --no-ask: only plan, for resume or push' },
      batch: {
        kind: 'boolean',
        default: false,
        brief: 'Ask in batches where a provider has them: slow, half the price',
      },
      poll: real('Seconds between two looks at a batch; left out: 30'),
      wait: { kind: 'boolean', default: true, brief: 'Wait for batches; --no-wait: resume collects them' },
      cache: optional('Folder of answers that runs share: what was asked before is not asked again'),
      offline: {
        kind: 'boolean',
        default: false,
        brief: 'Ask no provider: replay what --cache holds, costs and times too',
      },
      out: { kind: 'parsed', parse: text, default: 'runs/latest', brief: 'The run folder to make' },
      dryRun: { kind: 'boolean', default: false, brief: 'Only say what would be asked: items, calls, tokens, money' },
      preflight: { kind: 'boolean', default: true, brief: 'One call to a remote model ahead of all others' },
      durable: { kind: 'boolean', default: false, brief: 'Survive power loss too, not only a killed process' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, what) {
    const { parseExperiment } = await import('../../runner/index.ts')
    const { readSelection } = await import('../../store/index.ts')
    const lab = await labOf(flags, what)
    if (existsSync(join(what, 'run.json'))) return askImported(this, lab, what, flags)
    const written = /\.(ya?ml|json)$/i.test(what) ? await fromFile(what, flags) : await experimentOf(what, flags, lab)
    const experiment = parseExperiment({
      ...written,
      ...(flags.selection === undefined ? {} : { selection: [...(await readSelection(flags.selection))] }),
      limits: { ...written.limits, ...limitsOf(flags) },
      ...untilFlags(flags, written),
    })
    const asked = {
      experiment,
      ...(flags.limit === undefined ? {} : { limit: flags.limit }),
      ...(flags.prices === undefined ? {} : { prices: await pricesFile(flags.prices) }),
    }
    if (flags.dryRun) return printPlan(this, await lab.plan(asked), experiment, flags.json)
    if (flags.count !== undefined && !flags.spread && !flags.json) notePrefixes(this, await lab.plan(asked))
    const { out, shard, durable, preflight, wait, poll, cache, offline, ask } = flags
    const result = await execute(this, (options) =>
      lab.run({
        ...asked,
        ...options,
        ...(shard === undefined ? {} : { shard }),
        ...(poll === undefined ? {} : { poll }),
        ...(cache === undefined ? {} : { cache }),
        offline,
        ask,
        out,
        durable,
        preflight,
        wait,
      }),
    )
    if (await printed(this, lab, result, flags)) return
    if (shard !== undefined)
      print(this, '', `part ${shard.index} of ${shard.of}: touchstone merge FOLDER... --out DIR joins the parts`)
    print(this, '', `next: touchstone report ${out}${result.status === 'done' ? '' : `, touchstone resume ${out}`}`)
  },
})

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
  'shard',
  'dryRun',
] as const

/** Asks the items of an imported release of the models of the flags. */
async function askImported(context: Context, lab: Lab, from: string, flags: Flags): Promise<void> {
  refuseFlags(flags, OF_IMPORTS, `the items are those of the imported run ${from}; --limit asks the first of them`)
  const { out, durable, preflight, wait, poll, cache, offline, ask, style, limit, prices } = flags
  const result = await execute(context, async (options) =>
    lab.runImported(from, {
      experiment: {
        name: basename(resolve(from)),
        seed: '1',
        models: await modelsOf(flags, null),
        limits: limitsOf(flags),
      },
      ...options,
      ...(style === undefined ? {} : { styles: style }),
      ...(limit === undefined ? {} : { limit }),
      ...(prices === undefined ? {} : { prices: await pricesFile(prices) }),
      ...(poll === undefined ? {} : { poll }),
      ...(cache === undefined ? {} : { cache }),
      offline,
      ask,
      out,
      durable,
      preflight,
      wait,
    }),
  )
  if (await printed(context, lab, result, flags)) return
  print(context, '', `next: touchstone report ${out}${result.status === 'done' ? '' : `, touchstone resume ${out}`}`)
}

async function printPlan(context: Context, plan: DryRun, experiment: Experiment, json: boolean): Promise<void> {
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
  notePrefixes(context, plan)
}

/** The first indices of a set may be of a few groups, and it is groups that an interval counts. */
function notePrefixes(context: Context, plan: DryRun): void {
  for (const { task, config, indices, prefix } of plan.sources)
    if (prefix !== null)
      note(
        context,
        `the first ${indices} indices of ${task} ${config} are of ${prefix.groups} of ${prefix.of} groups; ` +
          '--count with --spread draws about as many from all groups',
      )
}

const money = (usd: number | null, costs: boolean): string =>
  usd !== null ? `$${usd.toFixed(2)}` : costs ? 'unknown' : 'nothing'

/** What an experiment says itself: flags that would say it again are refused. */
const OF_EXPERIMENTS = [
  'preset',
  'config',
  'set',
  'split',
  'seed',
  'count',
  'style',
  'model',
  'samples',
  'temperature',
  'maxTokens',
  'baseUrl',
  'baseUrlEnv',
  'apiKeyEnv',
  'perStratum',
  'price',
  'batch',
] as const

function fromFile(path: string, flags: Flags): Promise<Experiment> {
  if (flags.spread)
    throw new UsageError(`--spread: in an experiment file this is subsample: { share: 0.1 } beside a model of ${path}`)
  refuseFlags(flags, OF_EXPERIMENTS, `an experiment file says this itself: change ${path}`)
  return experimentFile(path)
}

/** The rule of the flags, over that of the experiment. */
function untilFlags({ until, alpha, every }: Flags, written: Experiment): Pick<Experiment, 'until'> | object {
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

/** Limits given by flags, over those of the experiment. */
const limitsOf = (flags: Flags): Partial<Experiment['limits']> => ({
  ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
  ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }),
  ...(flags.retries === undefined ? {} : { retries: flags.retries }),
  ...(flags.maxUsd === undefined ? {} : { usd: flags.maxUsd }),
})

/** Providers that take batches. */
const BATCHING = /^(?:hybrid:)*(?:openai|openai-responses|anthropic|google):/u
const inBatches = (model: string): boolean => BATCHING.test(model)

/** What a dataset says itself. */
const OF_DATASETS = ['preset', 'config', 'set', 'split', 'seed'] as const

/** The items of a dataset, or of a task by flags. */
async function itemsOf(what: string, flags: Flags, lab: Lab) {
  const counted = flags.count === undefined || flags.spread ? {} : { count: flags.count }
  if (existsSync(join(what, 'manifest.json'))) {
    refuseFlags(flags, OF_DATASETS, `the dataset ${what} says this itself`)
    const { itemsOfDataset } = await import('../../lab/items-of-dataset.ts')
    const items = await itemsOfDataset(what, (name) => lab.task(name))
    return { name: basename(resolve(what)), seed: items.seed, entry: { ...items, ...counted }, size: items.count }
  }
  const { preset, config } = await resolveConfig(lab.task(what), flags)
  const split = flags.split === undefined ? {} : { split: flags.split }
  const entry = { task: what, ...(preset === null ? { config } : { preset }), ...split, ...counted }
  const seed = flags.seed ?? '1'
  const { size } = lab.task(what).source(config, { split: flags.split ?? 'test', seed }).layout
  return { name: `${what} ${preset ?? 'custom'}`, seed, entry, size }
}

/** One task by flags is an experiment of one entry. */
async function experimentOf(name: string, flags: Flags, lab: Lab): Promise<Experiment> {
  const { parseExperiment } = await import('../../runner/index.ts')
  const items = await itemsOf(name, flags, lab)
  if (flags.spread && flags.perStratum !== undefined)
    throw new UsageError('--spread: --per-stratum draws from all groups already; leave one of them out')
  const share = flags.spread ? shareOf(flags.count, items.size, name) : null
  return parseExperiment({
    name: items.name,
    seed: items.seed,
    items: [{ ...items.entry, ...(flags.style === undefined ? {} : { style: flags.style }) }],
    models: await modelsOf(flags, share),
  })
}

/** The models of the flags; a share: each is asked about such a part of the items. */
async function modelsOf(flags: Flags, share: number | null): Promise<readonly ModelInput[]> {
  const { costsMoney, providers } = await import('../../models/index.ts')
  if (flags.model === undefined || flags.model.length === 0)
    throw new UsageError('name at least one --model, e.g. --model baseline:random')
  if (flags.batch && !flags.model.some(inBatches))
    throw new UsageError('--batch: openai, openai-responses, anthropic and google models can be asked in batches')
  const settings: { [key: string]: Json } = {
    ...(flags.temperature === undefined ? {} : { temperature: flags.temperature }),
    ...(flags.maxTokens === undefined ? {} : { maxTokens: flags.maxTokens }),
  }
  return flags.model.map((model) => ({
    model,
    settings: [settings],
    ...(flags.samples === undefined ? {} : { samples: flags.samples }),
    ...(share === null ? {} : { subsample: { share } }),
    ...(flags.perStratum === undefined ? {} : { subsample: { perStratum: flags.perStratum } }),
    ...(flags.batch && inBatches(model) ? { batch: {} } : {}),
    ...(flags.price === undefined || !costsMoney(model, providers) ? {} : { price: flags.price }),
    ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
    ...(flags.baseUrlEnv === undefined ? {} : { baseUrlEnv: flags.baseUrlEnv }),
    ...(flags.apiKeyEnv === undefined ? {} : { apiKeyEnv: flags.apiKeyEnv }),
  }))
}
