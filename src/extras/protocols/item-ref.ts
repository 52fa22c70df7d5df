import type { JsonObject, Task } from '../../core/index.ts'

/** Which content of a task: a preset by name, or a config of the client's own. */
export type Content =
  | { readonly kind: 'preset'; readonly preset: string }
  | { readonly kind: 'config'; readonly config: JsonObject }

/** @throws UsageError where the task has no such preset, or the config does not fit it. */
export const configOf = (task: Task, content: Content): JsonObject =>
  content.kind === 'preset' ? task.preset(content.preset).config : task.configure(content.config)

/** What a token stands for: enough to make the item anew, and nothing that says the answer by itself. */
export interface ItemRef {
  readonly task: string
  /** Of the task, so that a token of other items is refused. */
  readonly version: number
  readonly content: Content
  /** First 12 hex digits of the config's hash: presets may change without notice. */
  readonly configHash: string
  readonly split: string
  /** As the client said it. */
  readonly seed: string
  readonly index: number
  readonly style: string
}
