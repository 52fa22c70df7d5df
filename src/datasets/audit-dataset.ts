import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Json, Source, Task } from '../core/index.ts'
import { writeFileAtomic } from '../store/index.ts'
import { type AuditOptions, auditItems, withVerdict } from './audit/audit.ts'
import { ProofChecks } from './audit/checks.ts'
import type { AuditItem } from './audit/prepare.ts'
import type { Audit } from './audit/report.ts'
import { datasetCard } from './card.ts'
import { type Dataset, datasetRows, featuresOf, sharedOf, sourceOf } from './open.ts'
import { CARD, fileHash } from './writer.ts'

export interface DatasetAuditOptions extends Pick<AuditOptions, 'alpha' | 'minEffect' | 'onProfile'> {
  readonly style?: string
  /** Ignore declared shortcuts: a control that must fail if there are any. */
  readonly ignoreDeclared?: boolean
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * Audits a dataset on disk: probes, counts, oracle and witnesses.
 *
 * @throws UsageError for another version of the task, or a sealed seed.
 *
 * @example
 * import { auditDataset, openDataset } from '@touchstone-eval/touchstone/node'
 * import type { Task } from '@touchstone-eval/touchstone/task'
 *
 * export const statusOf = async (folder: string, task: Task) => (await auditDataset(await openDataset(folder), task)).status
 */
export async function auditDataset(dataset: Dataset, task: Task, options: DatasetAuditOptions = {}): Promise<Audit> {
  const source = sourceOf(task, dataset)
  const { style = task.styles[0] } = options
  const proofs = new ProofChecks(task, dataset.manifest.count)
  const audit = await auditItems(task, itemsOf(dataset, task, source, style, proofs, options), {
    ...options,
    root: dataset.manifest.root,
    groups: dataset.manifest.groups.count,
    style,
    declaredShortcuts: options.ignoreDeclared === true ? [] : (task.declaredShortcuts?.(source.config) ?? []),
    layout: source.layout,
  })
  const checks = [...audit.checks, ...proofs.checks()]
  const failed = checks.some((check) => check.status === 'fail')
  return withVerdict({ ...audit, checks, status: failed ? 'fail' : audit.status })
}

async function* itemsOf(
  dataset: Dataset,
  task: Task,
  source: Source,
  style: string,
  proofs: ProofChecks,
  options: DatasetAuditOptions,
): AsyncGenerator<readonly AuditItem[]> {
  const shareds = sharedOf(dataset, task)
  let done = 0
  let ordinal = 0
  for await (const rows of datasetRows(dataset, task, 'items')) {
    options.signal?.throwIfAborted()
    for (const row of rows) {
      if ((row['hole'] ?? null) !== null) continue
      const index = row['index'] as number
      const question = { shared: await shareds(row['group'] as number), given: row['given'] as Json, index }
      const item: AuditItem = {
        ...question,
        answer: row['answer'] as Json,
        group: row['group'] as number,
        stratum: row['stratum'] as number,
        ...(typeof row['twin'] === 'number' ? { twin: row['twin'] } : {}),
        features: featuresOf(row),
        request: task.request(question, style, source.viewDraws(index)),
      }
      const stored = row['witness']
      proofs.add(item, ordinal++, typeof stored === 'string' ? (JSON.parse(stored) as Json) : undefined)
      // One at a time: prompts may be long.
      yield [item]
    }
    done += rows.length
    options.onProgress?.(done, dataset.manifest.indices)
  }
}

/** Writes `audit.json` beside the manifest and records it there and in the card. */
export async function writeAudit(dataset: Dataset, task: Task, audit: Audit): Promise<void> {
  const text = `${JSON.stringify(audit, null, 1)}\n`
  const manifest = {
    ...dataset.manifest,
    audit: {
      sha256: createHash('sha256').update(text).digest('hex'),
      status: audit.status,
    },
  }
  await writeFileAtomic(join(dataset.folder, 'audit.json'), text)
  const card = datasetCard(task, sourceOf(task, dataset), manifest, audit)
  const files = { ...manifest.files, [CARD]: fileHash(card) }
  await writeFileAtomic(join(dataset.folder, CARD), card)
  await writeFileAtomic(join(dataset.folder, 'manifest.json'), `${JSON.stringify({ ...manifest, files }, null, 1)}\n`)
}
