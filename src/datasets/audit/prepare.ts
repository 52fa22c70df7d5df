import {
  type Features,
  type Json,
  type Layout,
  LruCache,
  type Problem,
  type Question,
  type Request,
  sha256Hex,
  type Task,
} from '../../core/index.ts'
import { answerKeys, type Choices } from './answer-kinds.ts'
import { recordParts } from './records.ts'
import { promptForm, requestText, type Shown, type Subject, words, wordsIn } from './subject.ts'

/** What an audit knows of a task: it asks about less of one that gives less. */
export type AuditedTask = Pick<Task, 'features' | 'styles'> & Partial<Task>

/** An item of a dataset or of an imported release. */
export interface AuditItem extends Problem<Json, Json, Json> {
  readonly index: number
  readonly group: number
  readonly stratum: number | null
  /** Least index of its contrast set (minimal pairs), if any. */
  readonly twin?: number
  readonly features: Features
  readonly request: Request
}

export interface Prepared {
  readonly subjects: readonly Subject[]
  readonly choices: readonly (Choices | null)[]
  /** Items with the canonical key of an earlier item. */
  readonly duplicates: number
  readonly canonicalKeys: number
  /** Items whose statements are known, and how many different prompts they have when names are erased. */
  readonly forms: { readonly items: number; readonly distinct: number }
  /** Kept only if an audit analysis of the task needs them. */
  readonly truths: readonly Pick<AuditItem, 'given' | 'answer'>[] | null
}

export type Strata = Pick<Layout, 'strata' | 'label'>

/** Reads every item once and keeps what the probes need. */
export async function prepare(
  task: AuditedTask,
  layout: Strata | null,
  items: AsyncIterable<readonly AuditItem[]>,
): Promise<Prepared> {
  const ownText = ownTextOf(task)
  const keysOf = canonicalKeys(task)
  const namesOf = namesReader()
  const choicesOf = choicesReader(task)
  const answerBlocks = new Map<number | null, string | null>()
  const raw: (Omit<Subject, 'answer'> & { answer?: Subject['answer'] })[] = []
  /** Those with free answers, as text: what a task remembers of a question is kept as long as the question is. */
  const problems: ({ readonly shared: Json; readonly own: string } | null)[] = []
  const choices: (Choices | null)[] = []
  const keepsProblems = task.audits?.some(({ needs }) => needs.includes('given') || needs.includes('answer')) === true
  const truths: Pick<AuditItem, 'given' | 'answer'>[] = []
  const seen = new Set<string>()
  const forms = new Set<number>()
  let formed = 0
  let duplicates = 0
  let keyed = 0
  for await (const batch of items)
    for (const item of batch) {
      const { shared, given, answer } = item
      const question = { shared, given }
      const keys = keysOf(item)
      const closed = choicesOf(item)
      const shown = closed === null ? null : shownIn(item.request, closed.choices)
      if (keys.item !== null) {
        keyed++
        if (seen.has(keys.item)) duplicates++
        else seen.add(keys.item)
      }
      const anonymized = task.anonymize?.(question) ?? null
      if (anonymized?.kind === 'statements') {
        formed++
        forms.add(Number.parseInt(sha256Hex(promptForm(requestText(item.request), given)).slice(0, 13), 16))
      }
      if (!answerBlocks.has(item.stratum)) answerBlocks.set(item.stratum, answerBlockOf(layout, item.stratum))
      raw.push({
        index: item.index,
        group: item.group,
        cluster: task.group === undefined && item.twin !== undefined ? `twins ${item.twin}` : keys.cluster,
        answerBlock: answerBlocks.get(item.stratum) ?? null,
        text: ownText(item),
        features: item.features,
        ...(shown === null ? {} : { shown }),
        ...partsOf(task, item),
        guesses: guessesOf(task, question),
        names: namesOf(given),
        anonymized,
        twin: item.twin ?? null,
      })
      if (keepsProblems) truths.push({ given, answer })
      choices.push(closed)
      problems.push(closed === null ? { shared, own: JSON.stringify({ given, answer }) } : null)
    }
  const recent = new LruCache<Problem<Json, Json, Json>>(256)
  const keys = answerKeys(choices, (i) => {
    const { shared, own } = problems[i] as NonNullable<(typeof problems)[number]>
    const problem = () =>
      recent.get(i, () => ({ shared, ...(JSON.parse(own) as { readonly given: Json; readonly answer: Json }) }))
    return { kind: 'free', gold: task.gold?.(problem()) ?? null, score: (text) => score(task, problem(), text) }
  })
  for (const [i, subject] of raw.entries()) subject.answer = keys[i] as Subject['answer']
  return {
    subjects: raw as Subject[],
    choices,
    duplicates,
    canonicalKeys: keyed,
    forms: { items: formed, distinct: forms.size },
    truths: keepsProblems ? truths : null,
  }
}

/** The canonical key of an item, and its cluster: the group (by its partition key, if any), or the item's own key. */
function canonicalKeys(
  task: AuditedTask,
): (item: AuditItem) => { readonly item: string | null; readonly cluster: string } {
  const groups = new LruCache<string>(256)
  const clusterOf = ({ shared, group, index }: AuditItem, own: string | null): string => {
    if (task.group === undefined) return own ?? `item ${index}`
    const { partition } = task
    return partition?.of === 'group'
      ? groups.get(group, () => partition.key({ shared, given: null }))
      : `group ${group}`
  }
  return (item) => {
    const key = task.canonical?.({ shared: item.shared, given: item.given })
    const own = key === undefined ? null : sha256Hex(key).slice(0, 32)
    return { item: own, cluster: clusterOf(item, own) }
  }
}

/** Stratum levels of all factors but the label, as one text; null where labels are not balanced. */
export function answerBlockOf(layout: Strata | null, stratum: number | null): string | null {
  if (layout?.label === undefined || stratum === null) return null
  const { [layout.label]: _label, ...rest } = layout.strata[stratum] ?? {}
  return JSON.stringify(rest)
}

const guessesOf = (task: AuditedTask, question: Question<Json, Json>): Subject['guesses'] =>
  Object.fromEntries(Object.entries(task.heuristics ?? {}).map(([name, guess]) => [name, guess(question)]))

/** Words of all strings in the question's data, each kept once for the whole set. */
function namesReader(): (given: Json) => readonly string[] {
  const known = new Map<string, string>()
  return (given) =>
    Array.from(wordsIn(given), (name) => {
      const own = known.get(name) ?? copyOf(name)
      known.set(own, own)
      return own
    })
}

/** A text that does not keep the longer text alive of which it is a part. */
const copyOf = (text: string): string => `${text} `.slice(0, -1)

/** Choices of an item; items with the same ones share them. */
function choicesReader(task: AuditedTask): (problem: Problem<Json, Json, Json>) => Choices | null {
  const known = new LruCache<Choices, string>(64)
  return (problem) => {
    if (task.choices === undefined || task.parsers === undefined || task.grade === undefined) return null
    const choices = task.choices(problem)
    if (choices.length === 0) return null
    const accepted = choices.map((choice) => score(task, problem, choice) === 1)
    return known.get(JSON.stringify([choices, accepted]), () => ({ choices, accepted }))
  }
}

function partsOf(task: AuditedTask, { shared, given, answer }: AuditItem): Pick<Subject, 'parts'> {
  if (task.records === undefined || task.gold === undefined) return {}
  const shown = task.records({ shared, given })
  return shown.records.length === 0 ? {} : { parts: recordParts(shown, task.gold({ shared, given, answer })) }
}

/** The choices named before the last paragraph of a prompt; null: none is. */
function shownIn(request: Request, choices: readonly string[]): Shown | null {
  const text = requestText(request).slice(0, MAX_TEXT)
  const before = text.slice(0, Math.max(0, text.lastIndexOf('\n\n')))
  if (!choices.some((choice) => before.includes(choice))) return null
  const known = new Set(choices)
  const named = words(before).filter((word) => known.has(word))
  if (named.length === 0) return null
  const counts = new Map<string, number>()
  for (const label of named) counts.set(label, (counts.get(label) ?? 0) + 1)
  const [commonest] = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0] as [string, number]
  return { first: named[0] as string, last: named.at(-1) as string, commonest }
}

function score(task: AuditedTask, problem: Problem<Json, Json, Json>, text: string): number {
  const found = task.parsers?.strict(text, problem)
  return found?.kind === 'extracted' ? (task.grade?.(problem, found.answer).value ?? 0) : 0
}

/** Characters kept of a prompt. */
const MAX_TEXT = 40_000

interface FirstPrompt {
  readonly index: number
  readonly text: string
  readonly lines: ReadonlySet<string>
  /** Whole lines with which it and all later prompts begin and end. */
  readonly head: string
  readonly tail: string
}

/**
 * A prompt without the lines of its group's first prompt (of the set's first, where every index is a group), so that a
 * shared grammar does not drown the question.
 */
function ownTextOf(task: AuditedTask): (item: AuditItem) => string {
  const groups = new LruCache<{ first: FirstPrompt }>(256)
  return (item) => {
    const text = requestText(item.request).slice(0, MAX_TEXT)
    const group = groups.get(task.group === undefined ? 0 : item.group, () => ({
      first: { index: item.index, text, lines: new Set(text.split('\n')), head: text, tail: text },
    }))
    const { index, lines } = group.first
    if (index === item.index) {
      // The first prompt keeps the lines with words of its question.
      const questionWords = new Set(words(JSON.stringify(item.given)))
      return copyOf(linesWhere(text, (line) => words(line).some((word) => questionWords.has(word))))
    }
    group.first = sharedEnds(group.first, text)
    const { head, tail } = group.first
    // Only the lines between the shared ends are compared one by one.
    return copyOf(
      linesWhere(text.slice(head.length, Math.max(head.length, text.length - tail.length)), (line) => !lines.has(line)),
    )
  }
}

const linesWhere = (text: string, keep: (line: string) => boolean): string => text.split('\n').filter(keep).join('\n')

/** The first prompt of a group with ends that this prompt shares, too. */
function sharedEnds(first: FirstPrompt, text: string): FirstPrompt {
  const { head, tail } = first
  // At first both are the whole first prompt, which need not be whole lines of this one.
  const areLines = (head === '' || head.endsWith('\n')) && (tail === '' || tail.startsWith('\n'))
  if (areLines && head.length + tail.length <= text.length && text.startsWith(head) && text.endsWith(tail)) return first
  const shorter = Math.min(first.text.length, text.length)
  let [same, sameEnd] = [0, 0]
  while (same < Math.min(shorter, head.length) && first.text[same] === text[same]) same++
  const from = text.lastIndexOf('\n', same - 1) + 1
  while (sameEnd < Math.min(shorter - from, tail.length) && first.text.at(-1 - sameEnd) === text.at(-1 - sameEnd))
    sameEnd++
  const to = text.indexOf('\n', text.length - sameEnd)
  return { ...first, head: text.slice(0, same === 0 ? 0 : from), tail: to < 0 ? '' : text.slice(to) }
}
