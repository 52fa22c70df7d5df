import { buildCommand } from '@stricli/core'
import type { RunStatus } from '../../lab/index.ts'
import type { Live } from '../../runner/index.ts'
import { duration } from '../../runner/progress/model-progress.ts'
import type { Context } from '../context.ts'
import { labOfTasks } from '../lab.ts'
import { modelLines } from '../live.ts'
import { aligned, print, printJson } from '../output.ts'
import { batchRows, stoppedLines } from '../runs.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const status = buildCommand<Flags, [string], Context>({
  docs: { brief: 'Where a run stands, and who works on it' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'The run folder, or store:RUN', parse: text, placeholder: 'run' }],
    },
    flags: { json: jsonFlag, plugin: pluginFlag },
  },
  async func({ json, plugin = [] }, run) {
    const lab = await labOfTasks({ plugin })
    const status = await lab.status(run)
    if (json) return printJson(this, status)
    print(this, ...lines(status))
  },
})

function liveLines({ usd, limit, rate, left, models }: Live): readonly string[] {
  const money = usd > 0 || limit !== null ? [`$${usd.toFixed(2)}${limit === null ? '' : ` of $${limit}`}`] : []
  const time = left === null || left === 0 ? [] : [`${duration(left)} left`]
  return ['', [`${rate.toFixed(1)}/s`, ...time, ...money].join(' · '), ...modelLines(models, limit)]
}

function lines(status: RunStatus): readonly string[] {
  const counts = Object.entries(status.counts).map(([state, count]) => [`  ${state}`, String(count)])
  if (status.kind === 'store')
    return [
      `${status.run} in ${status.place}: $${status.usd.toFixed(4)}`,
      ...aligned([...counts, ...batchRows(status.batches)]),
    ]
  const { name, run, batches, models, sources, moved, holder, stopped, live } = status
  return [
    `${name} (${run})`,
    ...aligned([
      ...counts,
      ...batchRows(batches),
      ['  models', models.map((model) => model.replaceAll(/\s+/gu, ' ')).join(', ')],
      ['  items', sources.map(({ task, label }) => `${task} ${label}`).join(', ')],
      ...(moved === null ? [] : [['  cells in', `${moved}: touchstone worker --status`]]),
      ['  held by', holder === null ? 'nobody' : JSON.stringify(holder)],
    ]),
    ...stoppedLines(stopped, `touchstone resume ${run}`),
    ...(live === null ? [] : liveLines(live)),
  ]
}
