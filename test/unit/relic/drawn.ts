import { type JsonObject, namedStream, type Problem, solutionText, type Task } from '../../../src/core/index.ts'
import { relic } from '../../../src/tasks/relic/index.ts'

/** Items of a task over drawn grammars. */
export function problemsOf<S, G, A>(
  name: string,
  preset: string,
  count: number,
  changes: JsonObject = {},
  seed = '1',
): { readonly task: Task; readonly problems: readonly Problem<S, G, A>[] } {
  const task = relic.tasks.find((one) => one.name === name) as Task
  const config = task.configure({ ...task.presets[preset]?.config, ...changes })
  const source = task.source(config, { split: 'test', seed })
  const problems: Problem<S, G, A>[] = []
  for (let index = 0; problems.length < count && index < 4 * count; index++) {
    const item = source.item(index)
    if (item.kind === 'item') problems.push(item as unknown as Problem<S, G, A>)
  }
  return { task, problems }
}

/** Problems of several presets, each with its task. */
export const drawn = <S, G, A>(name: string, ...sets: readonly (readonly [preset: string, count: number])[]) =>
  sets.flatMap(([preset, count]) => {
    const { task, problems } = problemsOf<S, G, A>(name, preset, count)
    return problems.map((problem) => ({ task, problem }))
  })
type Drawn = { readonly task: Task; readonly problem: unknown }

/** The grade of a text; null: unparsed. */
export function scored({ task, problem }: Drawn, text: string, parser = 'strict'): number | null {
  const found = task.parsers![parser]!(text, problem as never)
  return found.kind === 'extracted' ? task.grade!(problem as never, found.answer).value : null
}

/** The share of problems that a baseline solves. */
export const solvedBy = (all: readonly Drawn[], name: string): number =>
  all.filter((one) => {
    const baseline = one.task.baselines![name]!
    const draws = { stream: (label: string) => namedStream(`drawn test ${label}`, JSON.stringify(one.problem)) }
    return baseline.kind === 'chat' && scored(one, baseline.answer(one.problem as never, draws as never)) === 1
  }).length / all.length

/** The steps of a problem's solution, its text changed by `change`. */
export function stepsOf({ task, problem }: Drawn, change = (text: string) => text) {
  const text = solutionText(task.solution!(problem as never), 'full')
  return task.checkSteps!(problem as never, change(text))
}
