// A program of somebody who installed the package: type-checked and run in the empty folder.
import { families, type Item, openLab, type Task } from '@touchstone-eval/touchstone'
import parity from '../../../examples/parity.ts'

const tasks: readonly Task[] = families.flatMap((family) => family.tasks)
const source = parity.source(parity.preset('short').config, { split: 'test', seed: 42 })
const items: Item[] = []
for (let index = 0; index < 10; index++) {
  const item = source.item(index)
  if (item.kind === 'item') items.push(item)
}
const right = items.filter((item) => parity.oracle({ shared: item.shared, given: item.given }, item.answer))

// @ts-expect-error: data is frozen
if (items[0] !== undefined) items[0].index = 1

// From an experiment to a report.
const lab = await openLab()
const experiment = { items: [{ task: 'relic/recognize', preset: 'relic-demo', count: 6 }], models: ['baseline:gold'] }
const out = `run-${process.pid}`
const { status } = await lab.run({ experiment, out })
const { report } = await lab.report(out, { formats: ['md'] })

process.stdout.write(
  JSON.stringify({
    tasks: tasks.map((task) => task.name),
    hashes: items.map((item) => item.hash),
    right: right.length,
    status,
    analyses: report.analyses.map(({ id }) => id),
  }),
)
