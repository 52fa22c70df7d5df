import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Provider } from '../../../src/models/index.ts'
import { LOCAL, plainAnswer } from '../../../src/models/model.ts'
import { createRun, executeRun, parseExperiment } from '../../../src/runner/index.ts'
import { discriminate } from '../../../src/tasks/proficiency/discriminate/task.ts'
import { mockContext, scratch } from '../../mock/context.ts'

it.each<readonly [string, object]>([
  ['all items', {}],
  ['those that are chosen only when all were seen', { subsample: { perStratum: 5 }, samples: 2 }],
])('a model that keeps its last context reads each once, though the set comes back to it: %s', async (_, more) => {
  const read: string[] = []
  const keeps: Provider = {
    name: 'keeps',
    argument: '',
    summary: '',
    open: () =>
      Promise.resolve({
        name: 'keeps:',
        kind: 'score',
        route: 'keeps',
        concurrency: LOCAL,
        reusesContext: true,
        call({ request }) {
          if (request.kind !== 'score') throw new TypeError('only strings are scored')
          read.push(request.context)
          return Promise.resolve(plainAnswer('', { logprobs: [{ text: request.text, logprob: -1 }] }))
        },
      }),
  }
  const { folder, remove } = await scratch()
  const experiment = parseExperiment({
    items: { task: 'proficiency/discriminate', preset: 'g1', count: 400 },
    models: [{ model: 'keeps:', ...more }],
  })
  const context = mockContext({ tasks: [discriminate], providers: [keeps] })
  const run = await createRun({ experiment, dir: join(folder, 'run') }, context)
  await executeRun(run)
  await run[Symbol.asyncDispose]()
  await remove()
  const contexts = new Set(read).size
  expect(read.length).toBeGreaterThan(2 * contexts)
  expect(read.filter((one, i) => one !== read[i - 1])).toHaveLength(contexts)
})
