import type { AuditedTask } from './prepare.ts'
import type { Vocabulary } from './subject.ts'
import { type Subject, statements } from './subject.ts'

/** A number of each item that does not depend on its answer: one probe, without fitting. */
export interface Feature {
  readonly probe: string
  readonly values: Float64Array | Uint8Array
  /** A function of the item's index, not of its content. */
  readonly ofIndex?: true
}

export function directFeatures(task: AuditedTask, subjects: readonly Subject[], vocabulary: Vocabulary): Feature[] {
  return [
    ...textFeatures(subjects, vocabulary),
    ...sequenceFeatures(subjects),
    ...taskFeatures(task, subjects),
    ...presenceFeatures(vocabulary),
  ]
}

function textFeatures(subjects: readonly Subject[], { ids, start, words }: Vocabulary): Feature[] {
  const n = subjects.length
  const column = () => new Float64Array(n)
  const features = {
    characters: column(),
    tokens: column(),
    'tokens-squared-deviation': column(),
    statements: column(),
    'statements-in-order': column(),
    'first-token': column(),
    'last-token': column(),
    'unique-token-share': column(),
    'longest-repetition': column(),
    'adjacent-repeats': column(),
    'distinct-bigrams': column(),
  }
  // Words compare by code unit; their ranks do not depend on the order of items.
  const rank = new Int32Array(words.length)
  const sorted = [...words.keys()].sort((a, b) => ((words[a] as string) < (words[b] as string) ? -1 : 1))
  for (const [at, id] of sorted.entries()) rank[id] = at
  let sum = 0
  for (const [i, subject] of subjects.entries()) {
    const from = start[i] as number
    const to = start[i + 1] as number
    const list = statements(subject.text)
    features.characters[i] = subject.text.length
    features.tokens[i] = to - from
    features.statements[i] = list.length
    features['statements-in-order'][i] = shareInOrder(list)
    if (to > from) {
      features['first-token'][i] = rank[ids[from] as number] as number
      features['last-token'][i] = rank[ids[to - 1] as number] as number
    }
    const shape = repetitions(ids, from, to)
    features['unique-token-share'][i] = shape.uniqueShare
    features['longest-repetition'][i] = shape.longest
    features['adjacent-repeats'][i] = shape.adjacentShare
    features['distinct-bigrams'][i] = shape.bigrams
    sum += to - from
  }
  const mean = n === 0 ? 0 : sum / n
  for (let i = 0; i < n; i++) features['tokens-squared-deviation'][i] = ((features.tokens[i] as number) - mean) ** 2
  return Object.entries(features).map(([name, values]) => ({ probe: `text/${name}`, values }))
}

function shareInOrder(list: readonly string[]): number {
  if (list.length < 2) return 0
  let ordered = 0
  for (let i = 1; i < list.length; i++) if ((list[i - 1] as string) <= (list[i] as string)) ordered++
  return ordered / (list.length - 1)
}

function repetitions(ids: Int32Array, from: number, to: number) {
  const length = to - from
  const unique = new Set<number>()
  const bigrams = new Set<number>()
  let adjacent = 0
  let run = 1
  let longest = length > 0 ? 1 : 0
  for (let at = from; at < to; at++) {
    const id = ids[at] as number
    unique.add(id)
    if (at === from) continue
    const before = ids[at - 1] as number
    bigrams.add(before * 1048576 + id)
    if (before === id) {
      adjacent++
      run++
      longest = Math.max(longest, run)
    } else run = 1
  }
  const share = (count: number) => (length === 0 ? 0 : count / length)
  return { uniqueShare: share(unique.size), adjacentShare: share(adjacent), bigrams: bigrams.size, longest }
}

function sequenceFeatures(subjects: readonly Subject[]): Feature[] {
  return [
    { probe: 'sequence/position', values: Float64Array.from(subjects, (subject) => subject.index), ofIndex: true },
    { probe: 'sequence/parity', values: Float64Array.from(subjects, (subject) => subject.index % 2), ofIndex: true },
  ]
}

/** Declared role of a feature; `truth` and `id` are never probes. */
export function featureRole(task: AuditedTask, name: string): string | undefined {
  const schema = task.features.shape[name] as { meta?: () => { readonly role?: unknown } | undefined } | undefined
  const role = schema?.meta?.()?.role
  return typeof role === 'string' ? role : undefined
}

function taskFeatures(task: AuditedTask, subjects: readonly Subject[]): Feature[] {
  const features: Feature[] = []
  for (const name of Object.keys(task.features.shape)) {
    const role = featureRole(task, name)
    if (role === 'truth' || role === 'id') continue
    const levels = new Map<string, number>()
    const texts = [...new Set(subjects.map((subject) => subject.features[name]).filter((v) => typeof v === 'string'))]
    for (const [at, text] of (texts as string[]).sort().entries()) levels.set(text, at)
    const values = Float64Array.from(subjects, (subject) => {
      const value = subject.features[name] ?? null
      if (typeof value === 'string') return levels.get(value) as number
      return value === null ? -1 : Number(value)
    })
    features.push({ probe: `feature/${name}`, values })
  }
  return features
}

const MAX_FREQUENT = 60
const MIN_SUPPORT = 20

/** Presence of the most frequent words that occur in neither nearly all nor nearly no items. */
function presenceFeatures({ words, support, ids, start }: Vocabulary): Feature[] {
  const n = start.length - 1
  const chosen = [...words.keys()]
    .filter((id) => (support[id] as number) >= MIN_SUPPORT && n - (support[id] as number) >= MIN_SUPPORT)
    .sort(
      (a, b) =>
        (support[b] as number) - (support[a] as number) || ((words[a] as string) < (words[b] as string) ? -1 : 1),
    )
    .slice(0, MAX_FREQUENT)
  const columns = new Map(chosen.map((id) => [id, new Uint8Array(n)]))
  for (let i = 0; i < n; i++)
    for (let at = start[i] as number; at < (start[i + 1] as number); at++) {
      const column = columns.get(ids[at] as number)
      if (column !== undefined) column[i] = 1
    }
  return chosen.map((id) => ({ probe: `token/${words[id]}`, values: columns.get(id) as Uint8Array }))
}
