import type { AnalysisResult, Item, Json, Source, Task } from '../../../core/index.ts'
import { auditItems } from '../../../datasets/audit/audit.ts'
import type { AuditItem } from '../../../datasets/audit/prepare.ts'
import type { Audit } from '../../../datasets/audit/report.ts'
import { tokenCounters } from '../../../libraries/language/tokens.ts'
import { clusteredMeanEstimate, wilson } from '../../../libraries/statistics/index.ts'
import type { ShownEstimate } from '../../api/index.ts'

/** The audit of fresh items, as `touchstone audit` computes it. */
export interface Audited {
  readonly items: number
  readonly empty: number
  readonly audit: Pick<Audit, 'status' | 'tests' | 'checks' | 'notes' | 'power' | 'informativeShare'>
  readonly profile: AnalysisResult
  /** The commonest answers with their shares; the rest is `others`. */
  readonly answers: readonly { readonly answer: string; readonly share: ShownEstimate }[]
  readonly others: number
  /** Means over items: what there is to read, and steps of the worked solution where the task has one. */
  readonly sizes: readonly {
    readonly what: string
    readonly mean: ShownEstimate
    readonly least: number
    readonly most: number
  }[]
}

const ANSWERS = 12

/** Audits the first items of a source. @throws what the task throws */
export async function auditOf(task: Task, source: Source, count: number, root: string): Promise<Audited> {
  const { size } = source.layout
  const indices = Array.from({ length: Math.min(count, size ?? count) }, (_, index) => index)
  const made = indices.map((index) => source.item(index))
  const items = made.filter((item) => item.kind === 'item')
  const style = task.styles[0]
  const asked = items.map((item) => ({ item, request: source.request(item, style) }))
  const profiles: AnalysisResult[] = []
  const audit = await auditItems(task, inBatches(asked.map(({ item, request }): AuditItem => ({ ...item, request }))), {
    root,
    groups: new Set(items.map(({ group }) => group)).size,
    style,
    declaredShortcuts: task.declaredShortcuts?.(source.config) ?? [],
    layout: source.layout,
    onProfile: (profile) => void profiles.push(profile),
  })
  const { status, tests, checks, notes, power, informativeShare: live } = audit
  return {
    items: items.length,
    empty: made.length - items.length,
    audit: { status, tests, checks, notes, power, informativeShare: live },
    profile: profiles[0] ?? { tables: [] },
    ...answersOf(items),
    sizes: sizesOf(task, asked),
  }
}

async function* inBatches(items: readonly AuditItem[]): AsyncGenerator<readonly AuditItem[]> {
  yield items
}

function answersOf(items: readonly Item[]): Pick<Audited, 'answers' | 'others'> {
  const text = (answer: Json): string => (typeof answer === 'string' ? answer : JSON.stringify(answer))
  const counts = [...Map.groupBy(items, ({ answer }) => text(answer))].sort(([, a], [, b]) => b.length - a.length)
  return {
    answers: counts.slice(0, ANSWERS).flatMap(([answer, own]) => {
      const share = wilson(own.length, items.length)
      return share === null ? [] : [{ answer, share }]
    }),
    others: Math.max(0, counts.length - ANSWERS),
  }
}

type Asked = { readonly item: Item; readonly request: AuditItem['request'] }

function sizesOf(task: Task, asked: readonly Asked[]): Audited['sizes'] {
  const text = ({ request }: Asked): string =>
    request.kind === 'chat' ? request.messages.map(({ content }) => content).join('\n') : request.context + request.text
  const measures: readonly (readonly [what: string, of: (one: Asked) => number | undefined])[] = [
    ['characters of the prompt', (one) => text(one).length],
    ['tokens of the prompt, about', (one) => tokenCounters['pieces']?.(text(one))],
    ['steps of the worked solution', ({ item }) => task.solution?.(item).length],
  ]
  const clusters = asked.map(({ item }) => item.group)
  return measures.flatMap(([what, of]) => {
    const values = asked.map(of).filter((value) => value !== undefined)
    const mean = values.length === asked.length ? clusteredMeanEstimate(values, clustersOf(task, clusters)) : null
    return mean === null ? [] : [{ what, mean, least: Math.min(...values), most: Math.max(...values) }]
  })
}

/** Without groups each item is its own group. */
const clustersOf = (task: Task, groups: readonly number[]): readonly number[] =>
  task.group === undefined ? groups.map((_, i) => i) : groups
