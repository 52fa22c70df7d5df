import { canonicalJson, isUsageError, MerkleTree, type Source, type Task } from '../../core/index.ts'
import type { Row } from '../../store/index.ts'
import { type PromptKind, promptRow } from '../columns.ts'
import { promptKindOf } from '../manifest.ts'
import { type Dataset, shardsOf } from '../open.ts'
import { promptLeaf } from '../writer.ts'
import { readableRows } from './files.ts'
import type { Problems } from './problems.ts'

/**
 * Are the stored prompts those of the manifest, and those made anew? Where they are not, says which.
 * @param fresh - the root of the prompts made anew; null where they were not.
 */
export async function checkPrompts(
  dataset: Dataset,
  task: Task,
  source: Source | null,
  fresh: string | null,
  problems: Problems,
): Promise<void> {
  const { prompts } = dataset.manifest
  const kind = promptKindOf(dataset.manifest)
  if (prompts === null || kind === null) return
  const tree = new MerkleTree()
  for await (const row of promptRows(dataset, task, problems)) {
    tree.add(promptLeaf(row))
    const { id, index, style } = row
    if (typeof id !== 'string' || !id.endsWith(`/${String(index)}`) || style !== prompts.style)
      problems.whole(
        'prompts',
        `the prompt of ${String(id)} says it is of index ${String(index)} in style ${String(style)}`,
      )
  }
  if (fresh !== null && fresh !== prompts.root)
    problems.whole('prompts', `made anew the prompts have the root ${fresh}, the manifest says ${prompts.root}`)
  if (tree.root() === prompts.root) return
  problems.whole('prompts', `the stored prompts have the root ${tree.root()}, the manifest says ${prompts.root}`)
  if (source === null) return
  for await (const row of promptRows(dataset, task, problems)) {
    const index = row['index'] as number
    if (!isPromptOf(task, source, index, kind, row))
      problems.report({ check: 'prompts', index, message: 'the prompt is not the one made anew' })
  }
}

async function* promptRows(dataset: Dataset, task: Task, problems: Problems) {
  for (const shard of shardsOf(dataset, 'prompts'))
    for await (const rows of readableRows(dataset, task, shard, problems)) yield* rows
}

function isPromptOf(task: Task, source: Source, index: number, kind: PromptKind, row: Row): boolean {
  try {
    const item = source.item(index)
    return item.kind === 'item' && canonicalJson(promptRow(task, source, item, kind)) === canonicalJson(row)
  } catch (error) {
    if (isUsageError(error)) return false
    throw error
  }
}
