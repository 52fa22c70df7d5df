import { type Frame, runAnalysis, type Task } from '../../core/index.ts'
import { memoryFrame } from '../../libraries/statistics/index.ts'
import type { Prepared } from './prepare.ts'
import type { AuditAnalysis } from './report.ts'

/** The task's own figures about its items; those that lack a column or find nothing are left out. */
export function ownAnalyses(task: Task, prepared: Prepared): AuditAnalysis[] {
  const { audits = [] } = task
  if (audits.length === 0) return []
  const frame = frameOf(task, prepared)
  return audits
    .filter(({ needs }) => needs.every((name) => frame.has(name)))
    .map((analysis) => ({
      id: analysis.id,
      title: analysis.title,
      notes: analysis.notes ?? [],
      tables: runAnalysis(analysis, frame, { parser: 'strict', seed: 1, frameOf: () => null }).tables,
    }))
    .filter(({ tables }) => tables.length > 0)
}

function frameOf(task: Task, { subjects, truths }: Prepared): Frame {
  const features = Object.keys(task.features.shape).map((name) => [
    `feature_${name}`,
    subjects.map((subject) => subject.features[name] ?? null),
  ])
  return memoryFrame({
    item: subjects.map(({ index }) => index),
    group: subjects.map(({ group }) => group),
    ...Object.fromEntries(features),
    ...(truths === null
      ? {}
      : {
          given: truths.map(({ given }) => JSON.stringify(given)),
          answer: truths.map(({ answer }) => JSON.stringify(answer)),
        }),
  })
}
