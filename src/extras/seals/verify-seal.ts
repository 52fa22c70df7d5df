import { changedTemplates, isUsageError, type Source, sortedJson } from '../../core/index.ts'
import { PromptHash } from '../../runner/plan/prompts.ts'
import type { TaskLookup } from '../../runner/plan/resolve.ts'
import { sourceIndices } from '../../runner/plan/source-indices.ts'
import { Sources } from '../../runner/plan/sources.ts'
import { linkHash } from '../../store/index.ts'
import { idOf, isSummed, rootOf, type Seal, summaryOf } from './seal.ts'
import { callHash } from './sealed-calls.ts'
import type { Signer } from './signature.ts'

/** Result of verifying a seal. */
export interface SealVerification {
  readonly schema: 'touchstone/verify-seal/1'
  readonly id: string
  /** Fingerprint of the key that signed it; null: nobody did, or the signature is bad. */
  readonly signedBy: string | null
  readonly items: number
  readonly calls: number
  readonly mismatches: number
  /** The first thousand. */
  readonly problems: readonly string[]
  readonly notChecked: readonly string[]
}

/**
 * Checks a seal by itself: its summary, its roots, and its items, which are regenerated.
 *
 * @param signer - of its file; null: it is not signed.
 */
export function verifySeal(seal: Seal, tasks: TaskLookup, signer: Signer | null = null): SealVerification {
  const problems: string[] = signer?.kind === 'bad' ? [`the signature is not good: ${signer.message}`] : []
  const notChecked = new Set([
    'responses: a seal holds their hashes (with the run folder: touchstone verify RUN)',
    'when it was sealed: compare the id with the one that was published',
  ])
  if (signer === null) notChecked.add(UNSIGNED)
  const { items, calls, run } = seal
  if (idOf(seal) !== seal.id) problems.push(`the seal says its id is ${seal.id}, its content has ${idOf(seal)}`)
  if (rootOf(items.map(({ leaf }) => leaf)) !== seal.itemRoot)
    problems.push('the items do not have the root that the seal says')
  if (rootOf(calls.map(callHash)) !== seal.callRoot) problems.push('the calls do not have the root that the seal says')
  if (sortedJson(summaryOf(run.sources, items, calls)) !== sortedJson(seal.summary))
    problems.push('the summary is not what the scores of the calls come to')
  problems.push(...chainProblems(seal))
  if (!isSummed(seal)) problems.push('the money is not what the attempts come to')
  const known = new Set(items.map(({ id }) => id))
  const asked = new Set<string>()
  for (const { item, style, model, settings, sample } of calls) {
    const key = sortedJson([item, style, model, settings, sample])
    if (asked.has(key)) problems.push(`${item} is asked of ${model} twice`)
    asked.add(key)
    if (!known.has(item)) problems.push(`a call asks ${item}, which is not an item of the seal`)
  }
  const openable: Source[] = []
  const { templates } = new Sources(run.sources, tasks)
  problems.push(...run.sources.flatMap(changedTemplates))
  for (const [number, source] of run.sources.entries()) {
    const task = tasks(source.task)
    if (source.kind !== 'generated' || task === undefined || task.version !== source.version) {
      notChecked.add(
        `items of ${source.task} ${source.label}: version ${source.version} of the task is not installed, so they cannot be regenerated`,
      )
      continue
    }
    try {
      const { config, split, seed } = source
      const fresh = task.source(task.configure(config), { split, seed }, undefined, templates)
      if (task.promptVersion === source.promptVersion) openable[number] = fresh
      const mine = new Map(items.filter((item) => item.source === number).map((item) => [item.index, item]))
      const asked = sourceIndices(fresh, source.count, source.within)
      for (let k = 0; k < asked.count; k++) {
        const index = asked.at(k)
        const made = fresh.item(index)
        const stored = mine.get(index)
        mine.delete(index)
        if (made.kind === 'hole' ? stored !== undefined : stored?.id !== made.id || stored.leaf !== made.hash)
          problems.push(`index ${index} of ${source.task} ${source.label} differs from the regenerated item`)
        if (problems.length > 1000) break
      }
      for (const { id } of mine.values()) problems.push(`${id} is none of the items that the run asked for`)
    } catch (error) {
      if (!isUsageError(error)) throw error
      problems.push(error.message)
    }
  }
  checkPrompts(seal, tasks, openable, problems, notChecked)
  return {
    schema: 'touchstone/verify-seal/1',
    id: seal.id,
    signedBy: signer?.kind === 'good' ? signer.key : null,
    items: items.length,
    calls: calls.length,
    mismatches: problems.length,
    problems: problems.slice(0, 1000),
    notChecked: [...notChecked],
  }
}

/** What a seal without a signature cannot say. */
export const UNSIGNED = 'who sealed the run: the seal is not signed'

/** Checks the chain of responses by the hashes in the calls. */
function chainProblems({ calls, chain }: Seal): string[] {
  const links = calls
    .flatMap(({ link, response, ...call }) =>
      response === null ? [] : [{ ...call, seq: 0, attempt: 0, raw: null, ...link, response }],
    )
    .sort((a, b) => a.seq - b.seq)
  let head: string | null = null
  for (const [i, link] of links.entries()) {
    if (link.seq !== i + 1) return [`the chain of responses has no link ${i + 1}`]
    head = linkHash(head, link)
  }
  return head === chain.head && links.length === chain.links
    ? []
    : ['the responses of the calls do not make the chain that the seal says']
}

/** Makes every prompt again and compares, byte by byte. */
function checkPrompts(
  { run, items, methods }: Seal,
  tasks: TaskLookup,
  opened: readonly Source[],
  problems: string[],
  notChecked: Set<string>,
): void {
  if (methods.prompts === null || run.sources.some((_, number) => opened[number] === undefined)) {
    notChecked.add('prompts: the seal has no hash of them, or the words of this version of a task are others')
    return
  }
  const sources = new Sources(run.sources, tasks)
  const prompts = new PromptHash()
  for (const item of items) {
    const fresh = opened[item.source]
    const source = run.sources[item.source]
    // An item that the run did not plan is reported already.
    if (fresh === undefined || source?.kind !== 'generated' || sources.indices(item.source)?.has(item.index) !== true)
      continue
    const made = fresh.item(item.index)
    if (made.kind === 'hole') continue
    for (const style of sources.styles(item)) prompts.add(item.id, style, fresh.request(made, style))
  }
  if (prompts.digest() !== methods.prompts)
    problems.push('the prompts, put into words again, are not those that were sealed')
}
