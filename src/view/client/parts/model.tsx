import { visible } from './format.ts'
import { colourOf, modelName } from './models.ts'

/** Mark, provider and short name of a model. @param colour - default: that of its place in the run */
export function ModelName({
  model,
  provider = true,
  colour = colourOf(model),
}: {
  readonly model: string
  readonly provider?: boolean
  readonly colour?: number
}) {
  const short = modelName(model)
  const full = visible(model)
  return (
    <span class="model" title={full}>
      <i class={`pt m${colour}`} aria-hidden="true" />{' '}
      {provider && full.endsWith(short) ? <span class="provider">{full.slice(0, -short.length)}</span> : null}
      <b>{short}</b>
    </span>
  )
}

/** Family and name of a task, or of a condition that begins with one. */
export function TaskName({ task }: { readonly task: string }) {
  const [, family = '', name = ''] = /^([^/]*\/)?(.*)$/su.exec(visible(task)) ?? []
  return (
    <span class="task">
      <span class="provider">{family}</span>
      <b>{name}</b>
    </span>
  )
}
