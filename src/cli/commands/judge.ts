import { basename, resolve } from 'node:path'
import { defined } from '../../core/defined.ts'
import { rejectOptions } from '../../lab/requests/index.ts'
import type { FlagsOf, judgeFlags } from '../command-flags.ts'
import { labOf } from '../lab.ts'
import { executionOptions, limitsOf, modelsOf, pricesOf } from '../model-flags.ts'
import { type Context, plural, print, printJson } from '../output.ts'
import { execute, nextLine, printOutcome, setExitCode } from '../run-output.ts'

export default async function judge(context: Context, flags: FlagsOf<typeof judgeFlags>, from: string): Promise<void> {
  const { out, all, perStratum, judgedModels, rubric, seed, json } = flags
  if (all) rejectOptions(flags, ['perStratum'], 'not with --all')
  const lab = await labOf(flags, from)
  const { prices } = await pricesOf(flags)
  const experiment = {
    name: `${basename(resolve(from))}, judged`,
    seed: seed ?? '1',
    models: await modelsOf({ ...flags, models: flags.models ?? ['baseline:checker'] }),
    limits: limitsOf(flags),
  }
  const result = await execute(context, (progress) =>
    lab.judge(from, {
      experiment,
      ...executionOptions(flags),
      ...progress,
      ...defined({ prices, judgedModels, rubric, seed, perStratum: all ? null : perStratum }),
      out,
    }),
  )
  setExitCode(context, result)
  if (json) return printJson(context, result)
  printOutcome(context, result)
  print(context, `  ${result.judged} of ${result.of} responses were sampled`)
  if (result.scored === undefined) return print(context, '', nextLine(result, ' --analysis relic'))
  print(context, `  ${from}: ${plural(result.scored, 'score')} changed`, '', `Next: touchstone report ${from}`)
}
