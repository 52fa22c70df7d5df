import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import { loadTasks } from '../../lab/plugins.ts'
import type { Chosen } from '../../report/index.ts'
import type { Run } from '../../runner/index.ts'
import type { Context } from '../context.ts'
import { aligned, note, print, printJson } from '../output.ts'
import { runContext } from '../runs.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly force: boolean
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const select = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Choose the best style and parser for each model on a finished validation run',
    fullDescription:
      'touchstone run TASK --split validation --style A --style B --model M --out V, then touchstone select V, then ' +
      'touchstone run TASK --model M --selection V/selection.json --out T.',
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'The run folder', parse: text, placeholder: 'run' }] },
    flags: {
      force: { kind: 'boolean', default: false, brief: 'Also from items of other splits, or from an unfinished run' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, dir) {
    const { openRun, refreshRunRows, withRun } = await import('../../runner/index.ts')
    const { loadFrames, SELECTION_FILE, writeFileAtomic } = await import('../../store/index.ts')
    const { selectFromRows, totalCost } = await import('../../report/index.ts')
    const { tieRule } = await import('../../stats/index.ts')
    const run = await openRun(dir, await runContext(flags.plugin, dir), { mode: 'read' })
    await withRun(run, async (open) => {
      const reasons = await objections(open)
      if (reasons.length > 0 && !flags.force)
        throw new UsageError(`${dir} is no ground to choose on: ${reasons.join('; ')}; --force chooses nevertheless`)
      const frames = await loadFrames(await refreshRunRows(open))
      const choices = selectFromRows(frames, await loadTasks(flags.plugin, dir))
      if (choices.length === 0) throw new UsageError(`${dir} holds no graded response to choose by`)
      const path = join(dir, SELECTION_FILE)
      const document = {
        schema: 'touchstone/select/1',
        run: dir,
        splits: splitsOf(open),
        objections: reasons,
        rule: tieRule,
        cost: totalCost(choices),
        choices,
      }
      await writeFileAtomic(path, `${JSON.stringify(document, null, 1)}\n`)
      for (const reason of reasons) note(this, `chosen nevertheless: ${reason}`)
      if (flags.json) return printJson(this, document)
      print(this, ...table(choices), '', costLine(document.cost))
      print(this, `ties: ${tieRule}`, `${path} written; next: touchstone run ... --split test --selection ${path}`)
    })
  },
})

const splitsOf = (run: Run): readonly string[] => [
  ...new Set(run.file.sources.map((source) => (source.kind === 'generated' ? source.split : 'imported'))),
]

/** Why a choice on this run would not be sound: other splits would tune on what is tested, gaps would favour a pair. */
async function objections(run: Run): Promise<string[]> {
  const { waiting, leased, batched, failed } = await run.ledger.counts()
  const others = splitsOf(run).filter((split) => split !== 'validation')
  const planned = (await run.ledger.meta('planned')) === 'yes'
  return [
    ...(others.length > 0 ? [`its items are of ${others.join(', ')}, not of validation`] : []),
    ...(waiting + leased + batched > 0 || !planned ? [`it is not finished (touchstone resume ${run.dir})`] : []),
    ...(failed > 0 ? [`${failed} cells failed (touchstone retry-failed ${run.dir})`] : []),
  ]
}

function table(choices: readonly Chosen[]): string[] {
  const head = [
    'task',
    'model',
    'settings',
    'style',
    'parser',
    'accuracy',
    '95 % interval',
    'read',
    'tokens out',
    'tied',
  ]
  const rows = choices.map(({ task, model, settings, style, parser, accuracy, read, outputTokens, tied }) => [
    task,
    model,
    settings,
    style,
    parser,
    accuracy.value.toFixed(3),
    `${accuracy.low.toFixed(3)} to ${accuracy.high.toFixed(3)}`,
    read.toFixed(3),
    outputTokens === null ? '' : outputTokens.toFixed(0),
    String(tied.length),
  ])
  return aligned([head, ...rows], [5, 7, 8, 9])
}

const costLine = ({ calls, inputTokens, outputTokens, usd }: Chosen['cost']): string =>
  `choosing took ${calls} calls, ${inputTokens ?? 'unknown'} tokens in, ${outputTokens ?? 'unknown'} tokens out, ` +
  (usd === null ? 'at unknown cost' : `$${usd.toFixed(4)}`)
