/** What Hugging Face knows as words only. */
export const words = (text: string): string => text.replaceAll(/\W/gu, '_')

/** The id of a task in `eval.yaml`, which results name as well; a config without a name, as tables write it, is `custom`. */
export const taskId = (task: string, config: string | null): string =>
  words(`${task}_${config === null || config.startsWith('{') ? 'custom' : config}`)
