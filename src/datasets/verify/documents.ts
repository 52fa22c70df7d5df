import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalConfig, parseJson, type Source, type Task } from '../../core/index.ts'
import type { Audit } from '../audit/report.ts'
import { auditDataset } from '../audit-dataset.ts'
import { datasetCard } from '../card.ts'
import type { Dataset } from '../open.ts'
import { CARD } from '../writer.ts'
import type { Problems } from './problems.ts'

/** Compares audit.json with the manifest. */
export async function checkAudit({ folder, manifest }: Dataset, problems: Problems): Promise<Audit | null> {
  const expected = manifest.audit
  if (expected === null) return null
  const text = await readFile(join(folder, 'audit.json'), 'utf8').catch(() => null)
  if (text === null) {
    problems.whole('audit', 'audit.json is missing')
    return null
  }
  if (createHash('sha256').update(text).digest('hex') !== expected.sha256)
    problems.whole('audit', 'audit.json differs from its hash in the manifest')
  try {
    const audit = parseJson(text) as unknown as Audit
    const { dataset, status } = audit
    if (dataset.root !== manifest.root || dataset.count !== manifest.count || dataset.groups !== manifest.groups.count)
      problems.whole('audit', `audit.json is of another dataset, with root ${dataset.root}`)
    if (status !== expected.status)
      problems.whole('audit', `audit.json has the status "${status}", the manifest "${expected.status}"`)
    return audit
  } catch (error) {
    problems.whole('audit', `audit.json is not an audit: ${(error as Error).message}`)
    return null
  }
}

/** Repeats the audit with the options of the stored one, and compares. */
export async function repeatAudit(
  dataset: Dataset,
  task: Task,
  stored: Audit,
  problems: Problems,
  signal?: AbortSignal,
): Promise<void> {
  const fresh = await auditDataset(dataset, task, {
    style: stored.style,
    alpha: stored.alpha,
    minEffect: stored.power.gain,
    ...(signal === undefined ? {} : { signal }),
  })
  if (canonicalConfig(JSON.parse(JSON.stringify(fresh))) !== canonicalConfig(JSON.parse(JSON.stringify(stored))))
    problems.whole('audit', 'audit.json differs from a new audit. Replace it: touchstone audit FOLDER')
}

/** Compares the card with a regenerated one. A missing card is reported with the files. */
export async function checkCard(
  { folder, manifest }: Dataset,
  task: Task,
  source: Source,
  audit: Audit | null,
  problems: Problems,
): Promise<void> {
  const text = await readFile(join(folder, CARD), 'utf8').catch(() => null)
  if (text === null) return
  const [stored, fresh] = [text, datasetCard(task, source, manifest, audit ?? undefined)].map((card) =>
    card.split('\n'),
  )
  const line = (fresh ?? []).findIndex((one, i) => one !== stored?.[i])
  if (line >= 0)
    problems.whole(
      'card',
      `${CARD} line ${line + 1} differs from the regenerated card: ${JSON.stringify(stored?.[line]?.slice(0, 100) ?? null)}`,
    )
  else if (stored?.length !== fresh?.length) problems.whole('card', `${CARD} is longer than the regenerated card`)
}
