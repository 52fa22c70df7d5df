import type { Json, Task } from '../../core/index.ts'
import { type Dataset, datasetRows, featuresOf, sourceOf } from '../../datasets/index.ts'
import { type ExportQuestion, exportQuestion } from './line.ts'

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
      const facts = {
        item: String(row['id']),
        config,
        style,
        group: String(row['group']),
        draw: String(row['draw']),
        stratum: Number(row['stratum']),
        request: task.request(question, style, source.viewDraws(Number(row['index']))),
        features: featuresOf(row),
      }
      page.push(exportQuestion(task, { ...question, answer: row['answer'] as Json }, facts))
    }
    yield page
  }
}
