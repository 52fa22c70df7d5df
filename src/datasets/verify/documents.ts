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

/** Is the audit that the manifest names the one in the folder, about this set, and says it what the manifest says? */
export async function checkAudit({ folder, manifest }: Dataset, problems: Problems): Promise<Audit | null> {
  const named = manifest.audit
  if (named === null) return null
  const text = await readFile(join(folder, 'audit.json'), 'utf8').catch(() => null)
  if (text === null) {
    problems.whole('audit', 'audit.json, which the manifest names, is missing')
    return null
  }
  if (createHash('sha256').update(text).digest('hex') !== named.sha256)
    problems.whole('audit', 'audit.json is not the one the manifest names')
  try {
    const audit = parseJson(text) as unknown as Audit
    const { dataset, status, bound } = audit
    if (dataset.root !== manifest.root || dataset.count !== manifest.count || dataset.groups !== manifest.groups.count)
      problems.whole('audit', `audit.json is of another set, with root ${dataset.root}`)
    if (status !== named.status || (bound === null ? undefined : bound.upper.toPrecision(6)) !== named.bound)
      problems.whole('audit', `audit.json says "${status}", the manifest "${named.status}", or another bound`)
    return audit
  } catch (error) {
    problems.whole('audit', `audit.json is not an audit: ${(error as Error).message}`)
    return null
  }
}

/** Audits the set again, as the stored audit was made, and compares. */
export async function repeatAudit(
  dataset: Dataset,
  task: Task,
  stored: Audit,
  problems: Problems,
  signal?: AbortSignal,
): Promise<void> {
  for (const deciding of ['both', 'across', 'within'] as const) {
    const fresh = await auditDataset(dataset, task, {
      style: stored.style,
      alpha: stored.alpha,
      see: stored.power.gain,
      ...(stored.maxGain === null ? {} : { certify: stored.maxGain.bound }),
      deciding,
      ...(signal === undefined ? {} : { signal }),
    })
    if (canonicalConfig(JSON.parse(JSON.stringify(fresh))) === canonicalConfig(JSON.parse(JSON.stringify(stored))))
      return
  }
  problems.whole('audit', 'audit.json is not what an audit of this set finds; make it anew: touchstone audit')
}

/** Is the card the one that this set gets? A missing one is told where files are checked. */
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
      `${CARD} line ${line + 1} is not that of the card made anew: ${JSON.stringify(stored?.[line]?.slice(0, 100) ?? null)}`,
    )
  else if (stored?.length !== fresh?.length) problems.whole('card', `${CARD} goes on where the card made anew ends`)
}
