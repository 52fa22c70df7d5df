/** Longest short name, in characters. */
const MAX_NAME = 32

/**
 * Short, distinct names of models for tables, figures and sentences. Each step is taken only while names stay distinct: the provider and
 * path go (`openai:gpt-5-mini` becomes `gpt-5-mini`), then a date suffix (`-2026-01-31`); what is longer than 32 characters is cut in the
 * middle. Baselines are marked: `cyk (baseline)`. Settings, as in `gpt-5-mini {"effort":"high"}`, are kept as they are.
 *
 * @example
 * import { modelShortNames } from '@touchstone-eval/touchstone/task'
 *
 * const names = modelShortNames(['openai:gpt-5-mini-2026-01-31', 'baseline:random'])
 * console.log([...names.values()]) // [ 'gpt-5-mini', 'random (baseline)' ]
 */
export function modelShortNames(models: readonly string[]): ReadonlyMap<string, string> {
  const full = [...new Set(models)]
  const steps: readonly ((name: string) => string)[] = [withoutProvider, withoutDate, cutInTheMiddle]
  let names = full
  for (const step of steps) names = distinct(names, names.map(step))
  return new Map(full.map((model, i) => [model, names[i] as string]))
}

/** For each name the new one, unless another has it before or after the step: then it keeps the old one. */
function distinct(old: readonly string[], next: readonly string[]): string[] {
  const owners = Map.groupBy(
    old.flatMap((name, i) => [...new Set([name, next[i] as string])]),
    (name) => name,
  )
  return next.map((name, i) => (owners.get(name)?.length === 1 ? name : (old[i] as string)))
}

const PARTS = /^(?:([a-z][a-z0-9-]*):)?([^ {(@]*)(.*)$/isu

function withoutProvider(name: string): string {
  const [, provider, path = '', settings = ''] = PARTS.exec(name) ?? []
  const own = path.slice(path.lastIndexOf('/') + 1)
  return `${own === '' ? path : own}${provider === 'baseline' ? ' (baseline)' : ''}${settings}`
}

const withoutDate = (name: string): string => name.replace(/-(?:20\d{2}-?\d{2}-?\d{2})(?=$|[ {(@])/u, '')

const cutInTheMiddle = (name: string): string =>
  name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME / 2)}…${name.slice(1 - MAX_NAME / 2)}`
