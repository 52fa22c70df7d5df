import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  canonicalConfig,
  changedPlugins,
  changedTemplates,
  describeChangedPlugins,
  isUsageError,
  type Json,
  type JsonObject,
  sortedJson,
} from '../../core/index.ts'
import { IMPORT_KEY, RUN_FILES, type Run } from '../../runner/folder/run.ts'
import { isPartialFile, ledgerState, STORE_KEY } from '../../runner/folder/run-file.ts'
import { plannedCalls } from '../../runner/plan/plan.ts'
import { hashPrompts, PROMPTS_KEY } from '../../runner/plan/prompts.ts'
import type { GeneratedSource } from '../../runner/plan/resolve.ts'
import { readPeople, withTruth } from '../../runner/scoring/rescore.ts'
import { isReread, rereadableModels, scoreResponse } from '../../runner/scoring/score.ts'
import { isStoreError } from '../../store/index.ts'
import { idOf, parseSeal, SEAL_FILE, sealOf } from './seal.ts'
import { signatureFile, signerOf } from './signature.ts'
import { UNSIGNED } from './verify-seal.ts'

/** One contradiction between a run and its own records. */
export interface RunFault {
  readonly check: 'file' | 'ledger' | 'chain' | 'plan' | 'item' | 'response' | 'money' | 'score' | 'seal' | 'report'
  readonly message: string
}

/** Result of verifying a run folder. */
export interface RunVerification {
  readonly schema: 'touchstone/verify-run/1'
  readonly run: string
  readonly items: number
  readonly calls: number
  readonly responses: number
  readonly mismatches: number
  /** The first thousand. */
  readonly problems: readonly RunFault[]
  readonly notChecked: readonly string[]
}

const KEPT = 1000

class Faults {
  readonly list: RunFault[] = []
  count = 0

  tell(check: RunFault['check'], message: string): void {
    this.count++
    if (this.list.length < KEPT) this.list.push({ check, message })
  }
}

/**
 * Checks a run against itself and against the tasks: items, calls and scores are computed again. Nothing is written.
 *
 * @throws UsageError if a task of the run is not installed
 */
export async function verifyRun(run: Run): Promise<RunVerification> {
  const faults = new Faults()
  const notChecked = new Set<string>([
    'who answered, when, with how many tokens, and what failed: the word of the run (model, times, usage, attempts without a response)',
    ...changedPlugins(run.file.plugins ?? [], run.context.plugins ?? []).map(
      (changed) =>
        `${describeChangedPlugins(changed, 'the run', 'this command')}: that version regenerated the items and scores`,
    ),
  ])
  await checkFolder(run, faults, notChecked)
  await checkTables(run, faults)
  checkState(run, faults, notChecked)
  checkPrices(run, faults)
  await checkChain(run, faults)
  await checkPlan(run, faults, notChecked)
  await checkPrompts(run, faults)
  const responses = await checkScores(run, faults, notChecked)
  await checkSeal(run, faults, notChecked)
  for (const [sql, what] of UNUSED) {
    const n = Number(run.ledger.query(sql)[0]?.['n'])
    if (n > 0) notChecked.add(`${n} ${what}`)
  }
  const { items, calls } = run.ledger.sizes()
  return {
    schema: 'touchstone/verify-run/1',
    run: run.dir,
    items,
    calls,
    responses,
    mismatches: faults.count,
    problems: faults.list,
    notChecked: [...notChecked],
  }
}

/** Files that are checked here; `report` is checked by who can make one. */
const CHECKED = /^(?:run\.json|ledger\.db(?:-wal|-shm)?|report|seal\.json(?:\.sig)?)$/u
/** Files of this program that say nothing of the results. */
const ASIDE =
  /^(?:ledger\.db\.damaged-\d+(?:-wal|-shm)?|run\.lock(?:-journal)?|live\.json|reserve\.tmp|selection\.json)$/u
/** Labels of judges of own questions. */
const JUDGEMENTS = 'judgements.jsonl'
/** Those of them that a folder always has. */
const USUAL = /^run\.lock$/u

async function checkFolder({ dir, file }: Run, faults: Faults, notChecked: Set<string>): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const { name } = entry
    if (isPartialFile(name)) notChecked.add('unfinished files: of a process that is at work here, or was killed')
    // The questions that it asks, which the record of their plugin binds to their content.
    else if (name === JUDGEMENTS) notChecked.add(`what judges said of the responses: the word of ${JUDGEMENTS}`)
    else if (name === RUN_FILES.people)
      notChecked.add(`what people said of the responses: the word of ${RUN_FILES.people}`)
    else if (name === 'questions' && entry.isDirectory() && (file.plugins ?? []).length > 0) continue
    else if (!CHECKED.test(name) && !ASIDE.test(name))
      faults.tell('file', `${name} is not part of a run. Keep it elsewhere`)
    else if (entry.isDirectory() !== (name === RUN_FILES.report))
      faults.tell('file', `${name} is a ${entry.isDirectory() ? 'folder' : 'file'}, and no such thing is part of a run`)
    else if (ASIDE.test(name) && !USUAL.test(name)) notChecked.add(`${name}: no part of the results`)
  }
}

/** Facts that a ledger may hold about its run. */
const FACTS: ReadonlySet<string> = new Set(
  `schema revision names attributes run planned empty carried ignored until adapt stopped copied ${PROMPTS_KEY} ${IMPORT_KEY} ${STORE_KEY}`.split(
    ' ',
  ),
)

/** Invariants between the tables: each query lists violations. */
const INVARIANTS: readonly (readonly [check: RunFault['check'], sql: string, message: string])[] = [
  [
    'plan',
    'SELECT item AS what FROM call WHERE item NOT IN (SELECT id FROM item)',
    'a call asks an item that is not in the run',
  ],
  ['response', 'SELECT call AS what FROM response WHERE call NOT IN (SELECT id FROM call)', 'a response is to no call'],
  [
    'response',
    "SELECT id AS what FROM call WHERE state = 'done' AND id NOT IN (SELECT call FROM response)",
    'a call is done without a response',
  ],
  [
    'response',
    "SELECT id AS what FROM call WHERE state <> 'done' AND id IN (SELECT call FROM response)",
    'a call has a response and is not done',
  ],
  [
    'response',
    'SELECT r.call AS what FROM response r WHERE NOT EXISTS (SELECT 1 FROM attempt a WHERE a.call = r.call AND a.attempt_no = r.attempt)',
    'a response is of no attempt',
  ],
  [
    'response',
    "SELECT r.call AS what FROM response r JOIN attempt a ON a.call = r.call AND a.attempt_no = r.attempt WHERE a.status NOT IN ('ok', 'imported')",
    'a response is of an attempt that brought none',
  ],
  [
    'money',
    "SELECT r.call AS what FROM response r JOIN attempt a ON a.call = r.call AND a.attempt_no = r.attempt WHERE a.status = 'ok' AND a.usd IS NOT CASE WHEN json_valid(r.usage) THEN json_extract(r.usage, '$.usd') END",
    'an attempt is booked at another price than its response says',
  ],
  [
    'response',
    "SELECT c.id AS what FROM call c WHERE c.state = 'failed' AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.call = c.id AND a.code IS NOT NULL)",
    'a call failed without a failure',
  ],
  ['chain', 'SELECT call AS what FROM response WHERE seq IS NULL', 'a response is not in the chain of responses'],
  [
    'response',
    "SELECT call AS what FROM attempt WHERE status = 'ok' AND http NOT BETWEEN 200 AND 299",
    'a response came with a status of HTTP that brings none',
  ],
  ['ledger', 'SELECT call AS what FROM attempt WHERE ended < started', 'an attempt ended before it began'],
  ['ledger', 'SELECT call AS what FROM attempt WHERE call NOT IN (SELECT id FROM call)', 'an attempt is at no call'],
  [
    'ledger',
    'SELECT call AS what FROM raw_body b WHERE NOT EXISTS (SELECT 1 FROM attempt a WHERE a.call = b.call AND a.attempt_no = b.attempt)',
    'a body is of no attempt',
  ],
  [
    'ledger',
    'SELECT batch AS what FROM batch_line WHERE batch NOT IN (SELECT key FROM batch) OR call NOT IN (SELECT id FROM call)',
    'a line of a batch is of no batch or of no call',
  ],
  ['item', 'SELECT id AS what FROM item_group WHERE id NOT IN (SELECT item_group FROM item)', 'a group has no items'],
  [
    'score',
    'SELECT call AS what FROM score WHERE call NOT IN (SELECT call FROM response)',
    'a score is of no response',
  ],
  [
    'score',
    'SELECT call AS what FROM response WHERE call NOT IN (SELECT call FROM score)',
    'a response has no score (touchstone analyze score RUN)',
  ],
]

/** What a ledger may hold that no result is made of. */
const UNUSED = [
  [
    'SELECT COUNT(*) AS n FROM score s WHERE scorer < (SELECT MAX(scorer) FROM score x WHERE x.call = s.call)',
    'scores by older scorers',
  ],
  ['SELECT COUNT(*) AS n FROM batch', 'batches of a provider: when they were sent, and what became of them'],
] as const

const OWN_BYTES = `SELECT page_count * page_size AS bytes, user_version | application_id AS marks
  FROM pragma_page_count, pragma_page_size, pragma_user_version, pragma_application_id`

async function checkTables({ ledger, file }: Run, faults: Faults): Promise<void> {
  for (const words of ledger.integrity()) faults.tell('ledger', `the ledger is damaged: ${words}`)
  for (const name of ledger.foreignEntries())
    faults.tell('ledger', `the ledger has another ${name} (table, index, trigger or view) than this program makes`)
  const [own] = ledger.query(OWN_BYTES)
  if (own?.['marks'] !== 0 || Number(own['bytes']) < (await stat(ledger.path)).size)
    faults.tell('ledger', 'the ledger has bytes or marks outside its content')
  for (const { key } of ledger.query('SELECT key FROM meta'))
    if (!FACTS.has(String(key))) faults.tell('ledger', `the ledger has a fact that no run has: ${String(key)}`)
  if ((await ledger.meta('run')) !== file.id) faults.tell('ledger', 'the ledger is that of another run')
  for (const [check, sql, message] of INVARIANTS)
    for (const { what } of ledger.query(`${sql} LIMIT 20`)) faults.tell(check, `${message}: ${String(what)}`)
}

/** Does run.json say how far the ledger is? */
function checkState({ ledger, file }: Run, faults: Faults, notChecked: Set<string>): void {
  const [recorded, found] = [file.ledgerState, ledgerState(ledger)]
  if (recorded === undefined || recorded.revision !== found.revision) {
    notChecked.add('how far the run is by run.json: it was written before the last changes of the ledger')
    return
  }
  if (
    recorded.responses !== found.responses ||
    recorded.head !== found.head ||
    Math.abs(recorded.usd - found.usd) > 1e-6
  )
    faults.tell(
      'money',
      `run.json says that the ledger has ${recorded.responses} responses for $${recorded.usd}; it has ${found.responses} for $${found.usd}, or they end otherwise`,
    )
}

/** Responses that are not booked at the price of their model; those from a cache cost nothing. */
const PRICED = `SELECT call AS what FROM (
  SELECT r.call, json_extract(r.usage, '$.usd') AS usd, json_extract(r.usage, '$.inputTokens') AS i, json_extract(r.usage, '$.outputTokens') AS o
  FROM response r JOIN call c ON c.id = r.call JOIN attempt a ON a.call = r.call AND a.attempt_no = r.attempt
  WHERE c.model = ? AND a.status = 'ok' AND json_valid(r.usage))
  WHERE usd <> 0 AND ABS(usd - (CASE WHEN i > ? THEN i * ? + o * ? ELSE i * ? + o * ? END) / 1e6) > 1e-9 LIMIT 20`

function checkPrices({ ledger, file }: Run, faults: Faults): void {
  for (const { name, price } of file.models) {
    const { input, output, long } = price ?? { input: 0, output: 0 }
    const { above, ...rest } = long ?? { above: Number.MAX_SAFE_INTEGER, input, output }
    for (const { what } of ledger.query(PRICED, name, above, rest.input, rest.output, input, output))
      faults.tell('money', `a response is not booked at the price that run.json has for ${name}: ${String(what)}`)
  }
}

/** Is every response the recorded one, and none removed? */
async function checkChain({ ledger }: Run, faults: Faults): Promise<void> {
  const chain = await ledger.checkChain()
  if (chain.kind === 'broken') faults.tell('chain', `the chain of responses is broken: ${chain.message}`)
}

async function checkPlan(run: Run, faults: Faults, notChecked: Set<string>): Promise<void> {
  const { ledger, file } = run
  const attributes = Object.fromEntries(file.models.map((model) => [model.name, model.attributes]))
  if (((await ledger.meta('attributes')) ?? '{}') !== JSON.stringify(attributes))
    faults.tell('plan', 'the attributes of the models are not those of run.json')
  for (const changed of file.sources.flatMap(changedTemplates)) faults.tell('plan', changed)
  if (file.sources.some(({ kind }) => kind === 'imported')) {
    notChecked.add('imported items: they cannot be regenerated')
    return
  }
  if ((await ledger.meta('planned')) !== 'yes') {
    notChecked.add('the plan: it is not written to its end (touchstone resume)')
    return
  }
  for (const [number, source] of file.sources.entries()) {
    const task = run.sources.scorer(number)
    if (task.promptVersion !== source.promptVersion)
      notChecked.add(
        `the prompts of ${source.task}: it puts them in other words now (${task.promptVersion}, then ${source.promptVersion})`,
      )
  }
  const seen = { items: 0, calls: 0 }
  try {
    for (const number of file.sources.keys()) checkSource(run, number, faults)
    for (const { items, groups, calls } of plannedCalls(run)) {
      for (const item of items) {
        seen.items++
        const stored = ledger.item(item.id)
        if (stored === null) {
          faults.tell('item', `${item.id} is not in the ledger`)
          continue
        }
        const before = new Map<string, Json>(Object.entries(stored.item))
        for (const [key, value] of Object.entries(item))
          if (!isSame(before.get(key) ?? null, value))
            faults.tell('item', `${item.id}: ${key} differs from the regenerated item`)
      }
      for (const { id, shared } of groups)
        if (!isSame(ledger.shared(id), shared))
          faults.tell('item', `group ${id}: the shared content of its items differs from the regenerated one`)
      for (const { item, style, model, settings, sample } of calls) {
        seen.calls++
        const there = ledger.query(
          'SELECT 1 FROM call WHERE item = ? AND style = ? AND model = ? AND settings = ? AND sample = ?',
          item,
          style,
          model,
          settings,
          sample,
        )
        if (there.length === 0)
          faults.tell(
            'plan',
            `${item}, style ${style}, is not asked of ${model} (sample ${sample}), as the experiment says`,
          )
      }
    }
  } catch (error) {
    if (!isUsageError(error)) throw error
    faults.tell('plan', error.message)
    return
  }
  const { items, calls } = ledger.sizes()
  if (items !== seen.items) faults.tell('item', `the ledger has ${items} items, the experiment makes ${seen.items}`)
  const imported = Number(
    ledger.query("SELECT COUNT(DISTINCT call) AS n FROM attempt WHERE status = 'imported'")[0]?.['n'] ?? 0,
  )
  if (calls > seen.calls + imported)
    faults.tell(
      'plan',
      `the ledger has ${calls} calls, the experiment asks for ${seen.calls}, ${imported} were imported`,
    )
}

/** Is a stored value equal to the regenerated one? The stored one may contain what no item has, such as inexact numbers. */
function isSame(stored: Json, fresh: Json): boolean {
  const wanted = canonicalConfig(fresh)
  try {
    return canonicalConfig(stored) === wanted
  } catch {
    return false
  }
}

/** Is every prompt, byte by byte, the planned one? */
async function checkPrompts(run: Run, faults: Faults): Promise<void> {
  const planned = await run.ledger.meta(PROMPTS_KEY)
  const { sources } = run.file
  if (sources.some(({ kind }) => kind === 'imported')) return
  if (sources.some((source, number) => run.sources.scorer(number).promptVersion !== source.promptVersion)) return
  try {
    if ((await hashPrompts(run)) !== planned)
      faults.tell('plan', 'the prompts, put into words again, are not those that were planned')
  } catch (error) {
    if (isStoreError(error)) throw error
    // A task may throw anything for an item that it did not make.
    const why = error instanceof Error ? error.message : String(error)
    faults.tell('plan', isUsageError(error) ? why : `the prompts cannot be put into words again: ${why}`)
  }
}

/** The plan in run.json is stated by the publisher: it is computed again. */
function checkSource(run: Run, number: number, faults: Faults): void {
  const source = run.file.sources[number]
  if (source?.kind !== 'generated') return
  const task = run.sources.task(number)
  const fresh = task.source(task.configure(source.config), { split: source.split, seed: source.seed })
  if (canonicalConfig(fresh.plan) !== canonicalConfig(source.plan))
    faults.tell('plan', `the plan of ${source.task} in run.json differs from the regenerated one`)
  if (source.preset !== null && unnamedChanges(task.preset(source.preset).config, source).length > 0)
    faults.tell('plan', `the config of ${source.task} in run.json is not that of the preset ${source.preset}`)
}

/** Keys that differ from the preset without being named in the label of the config. */
function unnamedChanges(preset: JsonObject, { config, label }: GeneratedSource): readonly string[] {
  const written = (value: Json | undefined): string => canonicalConfig(value ?? null)
  return [...new Set([...Object.keys(preset), ...Object.keys(config)])].filter(
    (key) =>
      written(preset[key]) !== written(config[key]) && !label.includes(`{${key}=`) && !label.includes(`,${key}=`),
  )
}

const BODY = `SELECT c.model, a.status, r.raw FROM response r JOIN call c ON c.id = r.call
  LEFT JOIN attempt a ON a.call = r.call AND a.attempt_no = r.attempt WHERE r.call = ?`

async function checkScores(run: Run, faults: Faults, notChecked: Set<string>): Promise<number> {
  const { ledger, sources } = run
  const rereadable = rereadableModels(run)
  const people = readPeople(run.dir)
  let responses = 0
  let unread = 0
  for await (const page of ledger.responses())
    for (const { call, item, shared, response } of page) {
      const task = sources.scorer(item.source)
      // Scores of a log cannot be repeated.
      if (task.asGiven === 'scores') continue
      const [of] = ledger.query(BODY, call)
      const read =
        of?.['status'] === 'ok' && rereadable.has(String(of['model']))
          ? isReread({ ...response, raw: of['raw'] })
          : null
      if (read === null) unread++
      else if (!read)
        faults.tell('response', `call ${call} (${item.id}): its text is not what the body of the provider says`)
      responses++
      const stored = ledger.query(
        'SELECT scorer, outcome FROM score WHERE call = ? ORDER BY scorer DESC LIMIT 1',
        call,
      )[0]
      if (stored === undefined) continue
      if (Number(stored['scorer']) > task.scorerVersion)
        faults.tell(
          'score',
          `call ${call} is scored by version ${String(stored['scorer'])} of ${task.name}'s scorer, installed is ${task.scorerVersion}`,
        )
      else if (Number(stored['scorer']) < task.scorerVersion)
        faults.tell('score', `call ${call} is scored by an older scorer: touchstone analyze score ${run.dir}`)
      else {
        const rescored = withTruth(scoreResponse(task, sources.problem(item, shared), response), people.get(call))
        if (JSON.stringify(rescored) !== stored['outcome'])
          faults.tell('score', `call ${call} (${item.id}): its response rescored differs from the score in the ledger`)
      }
    }
  if (unread > 0)
    notChecked.add(`the text of ${unread} responses: their providers gave no body that it could be read from again`)
  return responses
}

/** Is the run still the sealed one? */
async function checkSeal(run: Run, faults: Faults, notChecked: Set<string>): Promise<void> {
  const path = join(run.dir, SEAL_FILE)
  const [text, armored] = await Promise.all(
    [path, signatureFile(path)].map((file) => readFile(file, 'utf8').catch(() => null)),
  )
  if (text == null) {
    notChecked.add('whether somebody who knows this program wrote all of it: the run is not sealed')
    if (armored != null) faults.tell('seal', `${SEAL_FILE} is gone, and its signature is there`)
    return
  }
  const signer = armored == null ? null : signerOf(Buffer.from(text), armored)
  notChecked.add(signer?.kind === 'good' ? `who has the key ${signer.key}, which signed the seal` : UNSIGNED)
  if (signer?.kind === 'bad') faults.tell('seal', `the signature of ${SEAL_FILE} is not good: ${signer.message}`)
  try {
    const stored = parseSeal(text, path)
    const fresh = await sealOf(run)
    if (idOf(stored) !== stored.id) faults.tell('seal', `${SEAL_FILE} was changed: its id is not that of its content`)
    if (fresh.id === stored.id) return
    faults.tell(
      'seal',
      `the run is not the one that ${SEAL_FILE} sealed: its id is ${fresh.id}, that of the seal ${stored.id}`,
    )
    for (const [i, call] of fresh.calls.entries()) {
      const before = stored.calls[i]
      if (call.response !== before?.response)
        faults.tell('response', `call ${i + 1} (${call.item}): its response is not the one that was sealed`)
      else if (sortedJson([...call.attempts]) !== sortedJson([...(before?.attempts ?? [])]))
        faults.tell('money', `call ${i + 1} (${call.item}): its attempts are not those that were sealed`)
    }
  } catch (error) {
    // A ledger with faults may hold anything.
    if (!isUsageError(error) && faults.count === 0) throw error
    faults.tell('seal', `the run cannot be compared with ${SEAL_FILE}: ${(error as Error).message}`)
  }
}
