import {
  type Features,
  type Json,
  type Layout,
  LeastRecent,
  type Problem,
  type Request,
  type Task,
} from '../../core/index.ts'
import { answerKeys, type Choices } from './families.ts'
import { type Subject, words } from './subject.ts'

/** An item to be audited, from a dataset or from an imported release. */
export interface AuditItem extends Problem<Json, Json, Json> {
  readonly index: number
  readonly group: number
  readonly stratum: number | null
  readonly features: Features
  readonly request: Request
}

export interface Prepared {
  readonly subjects: readonly Subject[]
  readonly choices: readonly (Choices | null)[]
  /** Canonical keys that occur more than once, counted. */
  readonly duplicates: number
  readonly canonicalKeys: number
}

/** Longest text kept of a prompt, in characters. */
const longestText = 40_000

/** Reads every item once and keeps what the probes need of it. */
export async function prepare(
  task: Task,
  layout: Pick<Layout, 'strata' | 'label'> | null,
  items: AsyncIterable<readonly AuditItem[]>,
): Promise<Prepared> {
  const residue = residueOf(task)
  const raw: Omit<Subject, 'answer'>[] = []
  const problems: (Problem<Json, Json, Json> | null)[] = []
  const choices: (Choices | null)[] = []
  const seen = new Set<string>()
  let duplicates = 0
  let canonicalKeys = 0
  for await (const batch of items)
    for (const item of batch) {
      const question = { shared: item.shared, given: item.given }
      const guesses = Object.fromEntries(
        Object.entries(task.heuristics ?? {}).map(([name, guess]) => [name, guess(question)]),
      )
      raw.push({
        index: item.index,
        group: item.group,
        unit: unitOf(layout, item.stratum),
        text: residue(item),
        features: item.features,
        guesses,
      })
      const entry = choicesOf(task, item)
      choices.push(entry)
      problems.push(entry === null ? { shared: item.shared, given: item.given, answer: item.answer } : null)
      if (task.canonical !== undefined) {
        canonicalKeys++
        const key = task.canonical(question)
        if (seen.has(key)) duplicates++
        else seen.add(key)
      }
    }
  const keys = answerKeys(choices, (i) => {
    const problem = problems[i] as Problem<Json, Json, Json>
    return { kind: 'free', gold: task.gold?.(problem) ?? null, score: (text) => score(task, problem, text) }
  })
  const subjects = raw.map((subject, i): Subject => ({ ...subject, answer: keys[i] as Subject['answer'] }))
  return { subjects, choices, duplicates, canonicalKeys }
}

function unitOf(layout: Pick<Layout, 'strata' | 'label'> | null, stratum: number | null): string | null {
  if (layout?.label === undefined || stratum === null) return null
  const { [layout.label]: _label, ...rest } = layout.strata[stratum] ?? {}
  return JSON.stringify(rest)
}

function choicesOf(task: Task, problem: Problem<Json, Json, Json>): Choices | null {
  if (task.choices === undefined || task.parsers === undefined || task.grade === undefined) return null
  const choices = task.choices(problem)
  if (choices.length === 0) return null
  return { choices, accepted: choices.map((choice) => score(task, problem, choice) === 1) }
}

function score(task: Task, problem: Problem<Json, Json, Json>, text: string): number {
  const found = task.parsers?.strict(text, problem)
  return found?.kind === 'extracted' ? (task.grade?.(problem, found.answer).value ?? 0) : 0
}

const textOf = (request: Request): string =>
  request.kind === 'chat' ? request.messages.map((message) => message.content).join('\n') : request.text

/**
 * A prompt without what is not its own: lines that its group's first prompt has too (or, where every index is a group,
 * the set's first prompt), so that a shared grammar does not drown what is asked.
 */
function residueOf(task: Task): (item: AuditItem) => string {
  const grouped = task.group !== undefined
  const reference = new LeastRecent<{ readonly index: number; readonly lines: ReadonlySet<string> }>(256)
  return (item) => {
    const text = textOf(item.request).slice(0, longestText)
    const lines = text.split('\n')
    const first = reference.get(grouped ? item.group : 0, () => ({ index: item.index, lines: new Set(lines) }))
    if (first.index !== item.index) return lines.filter((line) => !first.lines.has(line)).join('\n')
    // The first prompt has nothing to be compared with yet: what varies is what it was asked.
    const asked = new Set(words(JSON.stringify(item.given)))
    return lines.filter((line) => words(line).some((word) => asked.has(word))).join('\n')
  }
}
