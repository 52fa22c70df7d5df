import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Json, Source, Task } from '../core/index.ts'
import { writeFileAtomic } from '../store/index.ts'
import { type AuditOptions, auditItems } from './audit/audit.ts'
import { Proofs } from './audit/checks.ts'
import type { AuditItem } from './audit/prepare.ts'
import type { Audit } from './audit/report.ts'
import { datasetCard } from './card.ts'
import { type Dataset, datasetRows, featuresOf, sourceOf } from './open.ts'
import { CARD, textFacts } from './writer.ts'

export interface DatasetAuditOptions
  extends Pick<AuditOptions, 'alpha' | 'see' | 'certify' | 'deciding' | 'onProfile'> {
  readonly style?: string
  /** Audit as if the task declared no shortcut: a control that must fail where there is one. */
  readonly undeclared?: boolean
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * Audits a dataset on disk: probes, counts, oracle and witnesses.
 *
 * @throws UsageError where the version of the task is not that of the set, or its seed is secret
 *
 * @example
 * import { auditDataset, openDataset } from '@touchstone-eval/touchstone/node'
 * import type { Task } from '@touchstone-eval/touchstone/task'
 *
 * export const statusOf = async (folder: string, task: Task) => (await auditDataset(await openDataset(folder), task)).status
 */
export async function auditDataset(dataset: Dataset, task: Task, options: DatasetAuditOptions = {}): Promise<Audit> {
  const source = sourceOf(task, dataset)
  const style = options.style ?? task.styles[0]
  const proofs = new Proofs(task, dataset.manifest.count)
  const audit = await auditItems(task, itemsOf(dataset, task, source, style, proofs, options), {
    root: dataset.manifest.root,
    groups: dataset.manifest.groups.count,
    style,
    cues: options.undeclared === true ? [] : (task.declaredShortcuts?.(source.config) ?? []),
    layout: source.layout,
    ...(options.alpha === undefined ? {} : { alpha: options.alpha }),
    ...(options.see === undefined ? {} : { see: options.see }),
    ...(options.certify === undefined ? {} : { certify: options.certify }),
    ...(options.deciding === undefined ? {} : { deciding: options.deciding }),
    ...(options.onProfile === undefined ? {} : { onProfile: options.onProfile }),
  })
  const checks = [...audit.checks, ...proofs.checks()]
  const broken = checks.some((check) => check.status === 'fail')
  return { ...audit, checks, status: broken ? 'fail' : audit.status }
}

async function* itemsOf(
  dataset: Dataset,
  task: Task,
  source: Source,
  style: string,
  proofs: Proofs,
  options: DatasetAuditOptions,
): AsyncGenerator<readonly AuditItem[]> {
  let done = 0
  let ordinal = 0
  for await (const rows of datasetRows(dataset, task, 'items')) {
    options.signal?.throwIfAborted()
    const batch: AuditItem[] = []
    for (const row of rows) {
      if ((row['hole'] ?? null) !== null) continue
      const index = row['index'] as number
      const group = source.group(row['group'] as number)
      if (group.kind === 'unreachable') continue
      const question = { shared: group.shared, given: row['given'] as Json, index }
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
      proofs.ask(item, ordinal++, typeof stored === 'string' ? (JSON.parse(stored) as Json) : undefined)
      batch.push(item)
    }
    done += rows.length
    options.onProgress?.(done, dataset.manifest.indices)
    yield batch
  }
}

/** Writes `audit.json` beside the manifest and names it there and in the card. */
export async function writeAudit(dataset: Dataset, task: Task, audit: Audit): Promise<void> {
  const text = `${JSON.stringify(audit, null, 1)}\n`
  const described = {
    ...dataset.manifest,
    audit: {
      sha256: createHash('sha256').update(text).digest('hex'),
      status: audit.status,
      ...(audit.bound === null ? {} : { bound: audit.bound.upper.toPrecision(6) }),
    },
  }
  await writeFileAtomic(join(dataset.folder, 'audit.json'), text)
  const card = datasetCard(task, sourceOf(task, dataset), described, audit)
  const manifest = { ...described, files: { ...described.files, [CARD]: textFacts(card) } }
  await writeFileAtomic(join(dataset.folder, CARD), card)
  await writeFileAtomic(join(dataset.folder, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`)
}
