import { basename, resolve } from 'node:path'
import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/index.ts'
import { type AskFlags, limitFlags, limitsOf, modelFlags, modelsOf, wayFlags, wayOf } from '../asking.ts'
import type { Context } from '../context.ts'
import { labOf } from '../lab.ts'
import { countOf } from '../numbers.ts'
import { print, printJson } from '../output.ts'
import { execute, exitAs, nextLine, pricesFile, printOutcome } from '../runs.ts'
import { jsonFlag, optionalSeedFlag, pluginFlag, text } from '../words.ts'

interface Flags extends AskFlags {
  readonly respondent?: readonly string[]
  readonly perStratum?: number
  readonly all: boolean
  readonly seed?: string
  readonly out: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const judge = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Put responses of a run to judge models: which strategy does a chain of thought follow?',
    fullDescription:
      'touchstone judge RUN --model M --out DIR draws responses of each model, length and class, and asks M about them in a run of ' +
      'its own; a stopped one goes on with touchstone resume DIR, and touchstone report DIR shows what came of it. ' +
      'baseline:checker is a judge without a model: what the trace checker can prove.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'A run, also an imported one', parse: text, placeholder: 'run' }],
    },
    flags: {
      ...modelFlags,
      respondent: {
        kind: 'parsed',
        parse: text,
        optional: true,
        variadic: true,
        brief: 'Only responses of this model; repeat for several; left out: of all',
      },
      perStratum: {
        kind: 'parsed',
        parse: countOf(2),
        optional: true,
        brief: 'At most so many responses of each model, length and class; left out: 2',
      },
      all: { kind: 'boolean', default: false, brief: 'All responses, instead of --per-stratum' },
      seed: optionalSeedFlag,
      ...limitFlags,
      ...wayFlags,
      out: { kind: 'parsed', parse: text, brief: 'The run folder to make' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, from) {
    const { out, all, perStratum, respondent, seed, prices, json } = flags
    if (all && perStratum !== undefined) throw new UsageError('--all and --per-stratum: give one of them')
    const lab = await labOf(flags, from)
    const result = await execute(this, async (options) =>
      lab.judge(from, {
        experiment: {
          name: `${basename(resolve(from))}, judged`,
          seed: seed ?? '1',
          models: await modelsOf({ ...flags, model: flags.model ?? ['baseline:checker'] }),
          limits: limitsOf(flags),
        },
        ...options,
        ...(prices === undefined ? {} : { prices: await pricesFile(prices) }),
        ...(respondent === undefined ? {} : { respondents: respondent }),
        ...(seed === undefined ? {} : { seed }),
        ...(all ? { perStratum: null } : perStratum === undefined ? {} : { perStratum }),
        ...wayOf(flags),
        out,
      }),
    )
    exitAs(this, result)
    if (json) return printJson(this, result)
    printOutcome(this, result)
    print(this, `  ${result.judged} of ${result.of} responses were drawn`, '', nextLine(result, ' --only relic'))
  },
})
