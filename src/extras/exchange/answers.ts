import type { ExportAnswer } from './line.ts'

/** Answers of one task, config, style, model and settings: what other tools call an evaluation. */
export interface Evaluation {
  readonly task: string
  readonly config: string
  readonly style: string
  readonly model: string
  readonly settings: string
  readonly answers: readonly ExportAnswer[]
}

/** Answers by evaluation, in the order in which they begin. Holds all of them: a run of a million answers is exported by parts. */
export async function evaluations(pages: AsyncIterable<readonly ExportAnswer[]>): Promise<readonly Evaluation[]> {
  const found = new Map<string, ExportAnswer[]>()
  for await (const page of pages)
    for (const answer of page) {
      const { task, config, style, model, settings } = answer
      const key = JSON.stringify([task, config, style, model, settings])
      const list = found.get(key)
      if (list === undefined) found.set(key, [answer])
      else list.push(answer)
    }
  return [...found.values()].flatMap((answers) => {
    const [first] = answers
    if (first === undefined) return []
    const { task, config, style, model, settings } = first
    return [{ task, config, style, model, settings, answers }]
  })
}

/** Value 0..1 of an answer by the strict parser, 0 where the model gave none; null where nothing was judged. */
export function gradeOf({ outcome }: ExportAnswer): number | null {
  if (outcome.kind !== 'answered') return null
  const verdict = outcome.results['strict']
  if (verdict?.kind !== 'graded' || outcome.finish === 'refused' || outcome.finish === 'truncated') return 0
  return verdict.value
}

/** A text as part of a file's name. */
export const fileName = (...parts: readonly string[]): string =>
  parts
    .join('_')
    .replaceAll(/[^\w.-]+/gu, '-')
    .slice(0, 120)

/** What Hugging Face knows as words only. */
export const words = (text: string): string => text.replaceAll(/\W/gu, '_')

/** The id of a task in `eval.yaml`, which results name as well; a config without a name, as tables write it, is `custom`. */
export const taskId = (task: string, config: string | null): string =>
  words(`${task}_${config === null || config.startsWith('{') ? 'custom' : config}`)
