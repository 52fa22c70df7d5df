import { type Frame, type Item, type JsonObject, runAnalysis, type Task } from '../../../src/core/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { itemsOf, promptOf, sourceOf } from './items.ts'

type Row = { readonly [column: string]: string | number | boolean | null }

/** Who answers: a baseline of the task by name, or a model made up for a test. */
export type Answerer =
  | string
  | { readonly name: string; answer(item: Item, asked: { readonly style: string; readonly sample: number }): string }

export interface Asked {
  readonly models: readonly Answerer[]
  readonly count?: number
  readonly seeds?: readonly string[]
  readonly styles?: readonly string[]
  readonly samples?: number
}

/** Rows as a run would leave them, in the order of its plan. */
export function rowsOf(task: Task, configs: readonly object[], asked: Asked): Row[] {
  const { models, count = 60, seeds = ['unit'], styles = ['bare'], samples = 1 } = asked
  const rows: Row[] = []
  let number = 0
  for (const config of configs)
    for (const seed of seeds) {
      const source = sourceOf(task, config as JsonObject, 'test', seed)
      const from = number++
      for (const item of itemsOf(source, count))
        for (const style of styles)
          for (const model of models)
            for (let sample = 0; sample < samples; sample++) {
              const name = typeof model === 'string' ? model : model.name
              const question = { shared: item.shared, given: item.given }
              const baseline = task.baselines?.[name]
              if (typeof model === 'string' && baseline?.kind !== 'chat') throw new Error(`no baseline ${name}`)
              const text =
                typeof model === 'string' && baseline?.kind === 'chat'
                  ? baseline.answer(question, source.baselineDraws(item.index, name))
                  : (model as Exclude<Answerer, string>).answer(item, { style, sample })
              const found = task.parsers?.strict(text, question)
              const graded = found?.kind === 'extracted'
              const value = graded ? task.grade?.({ ...question, answer: item.answer }, found.answer).value : null
              rows.push({
                item: item.id,
                draw: item.draw,
                group: `${from}/${item.group}`,
                task: task.name,
                config: source.configHash,
                style,
                model: name,
                settings: '{}',
                sample,
                finish_reason: 'stop',
                status: graded ? 'graded' : 'unparsed',
                score: value ?? null,
                prediction: graded
                  ? typeof found.answer === 'string'
                    ? found.answer
                    : JSON.stringify(found.answer)
                  : null,
                input_tokens: Math.ceil(promptOf(source, item, 'bare').length / 4),
                output_tokens: text.length,
                ...Object.fromEntries(Object.entries(item.features).map(([feature, v]) => [`feature_${feature}`, v])),
              })
            }
    }
  return rows
}

export function frameOf(rows: readonly Row[]): Frame {
  const names = Object.keys(rows[0] as object)
  return memoryFrame(Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)])))
}

export const run = (
  task: Task,
  configs: readonly object[],
  models: readonly Answerer[],
  count?: number,
  seeds?: readonly string[],
): Frame =>
  frameOf(
    rowsOf(task, configs, {
      models,
      ...(count === undefined ? {} : { count }),
      ...(seeds === undefined ? {} : { seeds }),
    }),
  )

type Found = ReturnType<Task['analyses'][number]['run']>

export function analyse(task: Task, id: string, frame: Frame): Found {
  const analysis = task.analyses.find((candidate) => candidate.id === id)
  if (analysis === undefined) throw new Error(`no analysis ${id}`)
  for (const column of analysis.needs) if (!frame.has(column)) throw new Error(`the rows lack ${column}`)
  return runAnalysis(analysis, frame, { parser: 'strict', seed: 1, frameOf: () => null })
}
