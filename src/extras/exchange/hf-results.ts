import { mean } from '../../libraries/statistics/index.ts'
import { evaluations, fileName, gradeOf, taskId } from './answers.ts'
import type { About, ExportAnswer, Sink } from './line.ts'

/** Results as model repositories on Hugging Face keep them: `.eval_results/*.yaml`, one a model. */
export async function writeHfResults(
  pages: AsyncIterable<readonly ExportAnswer[]>,
  sink: Sink,
  about: About,
): Promise<void> {
  for (const { task, config, style, model, settings, answers } of await evaluations(pages)) {
    const values = answers.flatMap((answer) => gradeOf(answer) ?? [])
    if (values.length === 0) continue
    const accuracy = mean(values)
    const notes = `touchstone ${about.version}, model ${model}, ${task} ${config}, style ${style}, settings ${settings}, ${values.length} of ${answers.length} answers judged`
    const lines = [
      '- dataset:',
      `    id: ${JSON.stringify(about.name)}`,
      `    task_id: ${JSON.stringify(taskId(task, config))}`,
      `  value: ${(100 * accuracy).toFixed(4)}`,
      `  date: ${JSON.stringify(about.created.slice(0, 10))}`,
      `  notes: ${JSON.stringify(notes)}`,
    ]
    await sink.append(`${fileName(model)}/.eval_results/touchstone.yaml`, `${lines.join('\n')}\n`)
  }
}
