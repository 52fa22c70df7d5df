import { visible } from './format.ts'
import { colourOf, modelName } from './models.ts'

/** The mark of a model, beside which its name stands. */
export const ModelMark = ({ model }: { readonly model: string }) => (
  <i class={`pt m${colourOf(model)}`} aria-hidden="true" />
)

/** Mark, provider and short name of a model. */
export function ModelName({ model, provider = true }: { readonly model: string; readonly provider?: boolean }) {
  const short = modelName(model)
  const full = visible(model)
  return (
    <span class="model" title={full}>
      <ModelMark model={model} />{' '}
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
