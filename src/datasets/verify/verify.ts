import { canonicalConfig, type Json, planHash, type Source, type Task } from '../../core/index.ts'
import type { ChunkMaker } from '../chunk.ts'
import { type Manifest, manifestId } from '../manifest.ts'
import { type Dataset, sourceOf } from '../open.ts'
import type { Tally } from '../stored-rows.ts'
import { CARD } from '../writer.ts'
import { checkAudit, checkCard, repeatAudit } from './documents.ts'
import { checkGroups, checkGroupsUsed, checkPrompts } from './groups.ts'
import { checkAnswer, checkItems } from './items.ts'
import { checkFiles, checkLayout, checkManifest } from './manifest.ts'
import { type Mismatch, Problems } from './problems.ts'
import { type Regeneration, regenerateAll, regenerateNone, regenerateSample, sampleIndices } from './regenerate.ts'

/** Result of regenerating a dataset. */
export interface Verification {
  readonly schema: 'touchstone/verify/1'
  /** The manifest's identity. */
  readonly manifest: string
  /** Rows checked. */
  readonly items: number
  readonly regenerated: number
  readonly mismatches: number
  /** The first thousand. */
  readonly problems: readonly Mismatch[]
  readonly notChecked: readonly string[]
}

export interface VerifyOptions {
  /** Check files and hashes only; regenerate nothing. */
  readonly quick?: boolean
  /** Regenerate only this many random items. */
  readonly sample?: number
  /** The verifier's own entropy, so that the publisher cannot foresee the sample. */
  readonly entropy?: string
  /** Also check every answer by the oracle and every witness. */
  readonly oracles?: boolean
  /** Also repeat the audit and compare with audit.json. */
  readonly audit?: boolean
  /** The verifying program: texts written by another version are not compared. */
  readonly software?: { readonly package: string; readonly version: string }
  readonly chunkMaker?: (source: Source) => { readonly make: ChunkMaker; readonly ahead: number }
  /** Computes the plan of a source in another thread, while items are regenerated with the plan of the manifest. */
  readonly planMaker?: (source: Source) => Promise<Json>
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * Checks a dataset against its manifest and regenerates every item (docs/formats.md#a-dataset). No error stops the next
 * check: a changed byte is reported as a changed file and as a changed item.
 *
 * @example
 * import { openDataset, verify } from '@touchstone-eval/touchstone/node'
 * import type { Task } from '@touchstone-eval/touchstone/task'
 *
 * export const check = async (folder: string, task: Task) => verify(await openDataset(folder), task)
 */
export async function verify(dataset: Dataset, task: Task, options: VerifyOptions = {}): Promise<Verification> {
  const { manifest } = dataset
  const problems = new Problems()
  const sample =
    options.sample === undefined || options.sample >= manifest.indices
      ? null
      : sampleIndices(manifest, options.sample, options.entropy ?? '')
  const early = options.quick === true || sample !== null ? null : startEarly(dataset, task, options)
  const beside = await checkFiles(dataset, problems)
  checkManifest(manifest, task, problems)
  const groups = await checkGroups(dataset, task, problems)
  const source = options.quick === true ? null : openSource(dataset, task, await early?.plan, problems)
  if (source !== null) checkLayout(manifest, source, problems)
  const fresh =
    early === null || source === null
      ? freshOf(task, source, sample, manifest, options)
      : freshAfter(early, task, source, manifest)
  const used = new Set<number>()
  const { rows, regenerated, tally } = await checkItems(
    dataset,
    {
      task,
      source,
      groups,
      fresh,
      used,
      ...(options.oracles === true && source !== null && task.asGiven === undefined
        ? { inspect: (index, row) => checkAnswer(task, source, index, row, problems) }
        : {}),
      onRows(done) {
        options.signal?.throwIfAborted()
        options.onProgress?.(done, manifest.indices)
      },
    },
    problems,
  )
  checkCounts(manifest, tally, source, problems)
  checkGroupsUsed(groups, used, problems)
  // With rows missing or too many, a forged manifest may claim any number of prompts.
  await checkPrompts(dataset, task, source, rows === manifest.indices ? await fresh.promptRoot() : null, problems)
  const audit = await checkAudit(dataset, problems)
  const sameProgram = isSameProgram(manifest, options)
  if (source !== null && sameProgram) await checkCard(dataset, task, source, audit, problems)
  const repeated = source !== null && options.audit === true && audit !== null
  if (repeated) await repeatAudit(dataset, task, audit, problems, options.signal)
  return {
    schema: 'touchstone/verify/1',
    manifest: manifestId(manifest),
    items: rows,
    regenerated,
    mismatches: problems.count,
    problems: problems.list,
    notChecked: [
      `${publisherFields(manifest).join(', ')} (stated by the publisher)`,
      ...beside.map((name) => `${name} (regenerate: touchstone verify DATASET --disjoint-from DATASET)`),
      ...(source !== null && !sameProgram
        ? [`${CARD}: written by ${manifest.generator.package} ${manifest.generator.version}, another program`]
        : []),
      ...(manifest.audit === null || repeated ? [] : ['audit.json: not repeated (--audit)']),
      ...(source === null ? [`items, plan, strata and ${CARD}: not regenerated (--hash-only)`] : []),
      ...(source !== null && sample !== null
        ? [`items: ${sample.size} of ${manifest.indices} regenerated (--sample)`]
        : []),
      ...(task.asGiven !== undefined
        ? ['answers: as given, nothing proves them']
        : source !== null && options.oracles === true
          ? []
          : ['oracle and witnesses (--oracles)']),
    ],
  }
}

/** Fields that cannot be verified. */
const publisherFields = ({ created, generator }: Manifest): readonly string[] => [
  ...(created === undefined ? [] : ['created']),
  'generator.version',
  ...(generator.node === undefined ? [] : ['generator.node']),
]

const isSameProgram = ({ generator }: Manifest, { software }: VerifyOptions): boolean =>
  software === undefined || (software.package === generator.package && software.version === generator.version)

/** Items regenerated with the plan of the manifest while the plan is computed: usually it is the same. */
interface Early {
  readonly source: Source
  readonly fresh: Regeneration
  /** undefined: it failed; the error is thrown when the plan is computed in this thread. */
  readonly plan: Promise<Json | undefined>
}

function startEarly(dataset: Dataset, task: Task, { planMaker, chunkMaker }: VerifyOptions): Early | null {
  const { manifest } = dataset
  if (planMaker === undefined || manifest.plan === undefined) return null
  try {
    const source = sourceOf(task, dataset)
    const plan = planMaker(source).catch(() => undefined)
    return { source, plan, fresh: regenerateAll(task, source, manifest, chunkMaker) }
  } catch {
    // The error is reported when the source is opened again.
    return null
  }
}

/** Items made with a forged plan are discarded, and all are regenerated in this thread. */
const freshAfter = (early: Early, task: Task, source: Source, manifest: Manifest): Regeneration =>
  planHash(early.source.plan) === planHash(source.plan) ? early.fresh : regenerateAll(task, source, manifest)

/** The source with a computed plan: the plan in the manifest is not trusted. */
function openSource(dataset: Dataset, task: Task, plan: Json | undefined, problems: Problems): Source {
  const { manifest } = dataset
  const source = sourceOf(task, dataset, { plan })
  if (source.configHash !== manifest.configHash)
    problems.whole('root', `config hash: expected ${source.configHash}, got ${manifest.configHash}`)
  const stored = manifest.plan === undefined ? null : manifest.plan
  const hash = source.plan === null ? undefined : planHash(source.plan)
  if (hash !== manifest.planHash || planHash(stored) !== planHash(source.plan))
    problems.whole('root', 'the plan of the manifest, or its hash, differs from the computed plan')
  return source
}

function freshOf(
  task: Task,
  source: Source | null,
  sample: ReadonlySet<number> | null,
  manifest: Manifest,
  options: VerifyOptions,
): Regeneration {
  if (source === null) return regenerateNone
  return sample === null
    ? regenerateAll(task, source, manifest, options.chunkMaker)
    : regenerateSample(task, source, sample)
}

function checkCounts(manifest: Manifest, tally: Tally, source: Source | null, problems: Problems): void {
  const { count, empty } = manifest
  if (tally.count !== count || tally.proved !== empty.proved || tally.notFound !== empty.notFound)
    problems.whole(
      'strata',
      `items and empty indices: expected ${count} and ${empty.proved} + ${empty.notFound}, got ${tally.count} and ${tally.proved} + ${tally.notFound}`,
    )
  if (source !== null && canonicalConfig(tally.report(source.layout)) !== canonicalConfig(manifest.strata))
    problems.whole('strata', 'the counts by stratum differ from the manifest')
}
