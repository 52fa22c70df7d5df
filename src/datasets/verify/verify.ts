import { canonicalConfig, type Json, planHash, type Source, type Task } from '../../core/index.ts'
import type { ChunkMaker } from '../chunk.ts'
import { type Manifest, manifestId } from '../manifest.ts'
import { type Dataset, sourceOf } from '../open.ts'
import type { Tally } from '../stored-rows.ts'
import { CARD } from '../writer.ts'
import { checkAudit, checkCard, repeatAudit } from './documents.ts'
import { checkGroups, checkPrompts, checkUse } from './groups.ts'
import { checkAnswer, checkItems } from './items.ts'
import { checkFiles, checkLayout, checkManifest } from './manifest.ts'
import { type Mismatch, Problems } from './problems.ts'
import { type Fresh, regenerateAll, regenerateNone, regenerateSample, sampleIndices } from './regenerate.ts'

/** What was made anew of a dataset, and what does not agree. */
export interface Verification {
  readonly schema: 'touchstone/verify/1'
  /** The manifest's identity. */
  readonly manifest: string
  /** Rows looked at. */
  readonly items: number
  readonly regenerated: number
  readonly mismatches: number
  /** The first thousand. */
  readonly problems: readonly Mismatch[]
  readonly notChecked: readonly string[]
}

export interface VerifyOptions {
  /** Stop after the root: nothing is made anew. */
  readonly quick?: boolean
  /** Make only this many keyed-random items anew. */
  readonly sample?: number
  /** The verifier's own entropy, so that the publisher cannot foresee the sample. */
  readonly entropy?: string
  /** Also ask the oracle about every answer, and check every witness. */
  readonly oracles?: boolean
  /** Also audit the set again and compare with audit.json. */
  readonly audit?: boolean
  /** Who checks: what another version of the program wrote in words is not compared. */
  readonly software?: { readonly package: string; readonly version: string }
  readonly chunkMaker?: (source: Source) => { readonly make: ChunkMaker; readonly ahead: number }
  /** Makes the plan of a source anew, elsewhere, so that items can be made meanwhile. */
  readonly planMaker?: (source: Source) => Promise<Json>
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * Checks a dataset against its manifest and makes every item anew (docs/formats.md#a-dataset). Every step has its own message, and
 * none stops the next: a changed byte is reported as a changed file and as the item it changed.
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
  const early = options.quick === true || sample !== null ? null : begin(dataset, task, options)
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
      ...(options.oracles === true && source !== null
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
  checkUse(groups, used, problems)
  // Where rows are missing or too many, the prompts of all that the manifest speaks of may be without end.
  await checkPrompts(dataset, task, source, rows === manifest.indices ? await fresh.promptRoot() : null, problems)
  const audit = await checkAudit(dataset, problems)
  const sameProgram = programOf(manifest, options)
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
      ...wordOf(manifest),
      ...beside.map((name) => `${name}, which lies beside the set (touchstone overlap makes it anew)`),
      ...(source !== null && !sameProgram
        ? [
            `the words of ${CARD}: they are of ${manifest.generator.package} ${manifest.generator.version}, another program than this`,
          ]
        : []),
      ...(manifest.audit === null || repeated ? [] : ['what audit.json measured was not measured again (`audit`)']),
      ...(source === null ? [`items, plan, strata and ${CARD} were not made anew (\`quick\`)`] : []),
      ...(source !== null && sample !== null
        ? [`only ${sample.size} of ${manifest.indices} items were made anew (\`sample\`)`]
        : []),
      ...(source !== null && options.oracles === true ? [] : ['oracle and witnesses were not asked (`oracles`)']),
    ],
  }
}

/** What nobody can check: the publisher's word. */
function wordOf({ created, note, generator, canonRoot, parent }: Manifest): readonly string[] {
  const said = [
    ...(created === undefined ? [] : ['created']),
    'generator.version',
    ...(generator.node === undefined ? [] : ['generator.node']),
    ...(generator.integrity === undefined ? [] : ['generator.integrity']),
    ...(canonRoot === undefined ? [] : ['canonRoot']),
    ...(parent === undefined || parent === null ? [] : ['parent']),
    ...(note === undefined ? [] : ['note']),
  ]
  return [`when, where and by which program the set was made is the publisher's word (${said.join(', ')})`]
}

const programOf = ({ generator }: Manifest, { software }: VerifyOptions): boolean =>
  software === undefined || (software.package === generator.package && software.version === generator.version)

/** What is made with the plan of the manifest while that is made anew: mostly it is the same, and nothing is to be made again. */
interface Early {
  readonly source: Source
  readonly fresh: Fresh
  /** undefined: it failed, and will where it is made next, in words. */
  readonly plan: Promise<Json | undefined>
}

function begin(dataset: Dataset, task: Task, { planMaker, chunkMaker }: VerifyOptions): Early | null {
  const { manifest } = dataset
  if (planMaker === undefined || manifest.plan === undefined) return null
  try {
    const source = sourceOf(task, dataset)
    const plan = planMaker(source).catch(() => undefined)
    return { source, plan, fresh: regenerateAll(task, source, manifest, chunkMaker) }
  } catch {
    // Told where the plan is made anew.
    return null
  }
}

/** A plan that is forged may hold up those that were given it: then all is made here. */
const freshAfter = (early: Early, task: Task, source: Source, manifest: Manifest): Fresh =>
  planHash(early.source.plan) === planHash(source.plan) ? early.fresh : regenerateAll(task, source, manifest)

/** The source with its plan computed anew, here where it is not known yet: that in the manifest is the publisher's word. */
function openSource(dataset: Dataset, task: Task, plan: Json | undefined, problems: Problems): Source {
  const { manifest } = dataset
  const source = sourceOf(task, dataset, { plan })
  if (source.configHash !== manifest.configHash)
    problems.whole('root', `the config has the hash ${source.configHash}, the manifest says ${manifest.configHash}`)
  const stored = manifest.plan === undefined ? null : manifest.plan
  const hash = source.plan === null ? undefined : planHash(source.plan)
  if (hash !== manifest.planHash || planHash(stored) !== planHash(source.plan))
    problems.whole('root', 'the plan in the manifest, or its hash, is not the one made anew')
  return source
}

function freshOf(
  task: Task,
  source: Source | null,
  sample: ReadonlySet<number> | null,
  manifest: Manifest,
  options: VerifyOptions,
): Fresh {
  if (source === null) return regenerateNone
  return sample === null
    ? regenerateAll(task, source, manifest, options.chunkMaker)
    : regenerateSample(task, source, sample)
}

function checkCounts(manifest: Manifest, tally: Tally, source: Source | null, problems: Problems): void {
  const { count, empty: holes } = manifest
  if (tally.count !== count || tally.proved !== holes.proved || tally.gaveUp !== holes.notFound)
    problems.whole(
      'strata',
      `the rows hold ${tally.count} items and ${tally.proved} + ${tally.gaveUp} holes, ` +
        `the manifest says ${count} and ${holes.proved} + ${holes.notFound}`,
    )
  if (source !== null && canonicalConfig(tally.report(source.layout)) !== canonicalConfig(manifest.strata))
    problems.whole('strata', 'the counts by stratum are not those of the manifest')
}
