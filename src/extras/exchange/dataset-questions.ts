import { correctnessChecker, type Json, type Task } from '../../core/index.ts'
import { type Dataset, datasetRows, featuresOf, sourceOf } from '../../datasets/index.ts'
import type { ExportQuestion } from './line.ts'

/** The questions of a dataset in one style, in the order of its items. */
export async function* datasetQuestions(
  dataset: Dataset,
  task: Task,
  style: string,
): AsyncGenerator<readonly ExportQuestion[]> {
  const source = sourceOf(task, dataset)
  const config = dataset.manifest.preset ?? 'custom'
  for await (const rows of datasetRows(dataset, task, 'items')) {
    const page: ExportQuestion[] = []
    for (const row of rows) {
      if ((row['hole'] ?? null) !== null) continue
      const group = source.group(Number(row['group']))
      if (group.kind === 'unreachable') continue
      const question = { shared: group.shared, given: row['given'] as Json }
      const problem = { ...question, answer: row['answer'] as Json }
      page.push({
        item: String(row['id']),
        task: task.name,
        config,
        style,
        group: String(row['group']),
        draw: String(row['draw']),
        stratum: Number(row['stratum']),
        request: task.request(question, style, source.viewDraws(Number(row['index']))),
        gold: task.gold?.(problem) ?? null,
        choices: task.choices?.(question) ?? null,
        right: () =>
          (task.choices?.(question) ?? []).filter((text) => correctnessChecker(task, problem)?.(text) === true),
        features: featuresOf(row),
        solution: task.solution === undefined ? null : () => task.solution?.(problem) ?? [],
      })
    }
    yield page
  }
}
