import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import type { Json } from '../../../src/core/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { filterOf } from '../../../src/view/api/index.ts'
import { work } from '../../../src/view/client/tasks/work.ts'
import { itemOf } from '../../../src/view/server/item.ts'
import { itemsOf } from '../../../src/view/server/items.ts'
import { viewRun } from '../../../src/view/server/open-runs.ts'
import { toyFolder } from './toy-run.ts'

const tasks = families.flatMap((family) => family.tasks)

it.each(tasks.map((task) => [task.name, task] as const))(
  'what is not an item of %s is not proved, in words',
  async (_, task) => {
    const odd: readonly Json[] = [null, {}, [], 'x', 7, { given: { n: -1 } }]
    const kinds = []
    for (const value of odd) {
      const problem = { shared: value, given: value, answer: value }
      const truth = await work({ kind: 'draw', task: task.name, version: task.version, problem })
      expect(truth).not.toMatchObject({ checked: true, oracle: true })
      kinds.push(typeof truth === 'object' && 'kind' in truth ? truth.kind : '')
    }
    expect(kinds).toContain('foreign')
  },
)

it('an item that somebody wrote into has its pages, in the run of the others', async () => {
  const folder = await toyFolder()
  const ledger = new DatabaseSync(join(folder, 'run', 'ledger.db'))
  ledger.exec(`UPDATE item SET given = '{}' WHERE position = 3`)
  const id = String(ledger.prepare('SELECT id FROM item WHERE position = 3').get()?.['id'])
  ledger.close()
  const viewed = await viewRun(join(folder, 'run'), [])
  try {
    expect((await itemsOf(viewed, filterOf([]).data ?? expect.fail('no filter'), 0)).rows).toHaveLength(12)
    expect(await itemOf(viewed, id)).toMatchObject({
      id,
      prompts: [],
      promptless: 'what is stored here is not an item of recoglab/comparison',
    })
  } finally {
    await viewed.close()
    rmSync(folder, { recursive: true })
  }
})
