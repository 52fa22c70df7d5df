import { existsSync } from 'node:fs'
import { z } from 'zod'
import { type Family, hint, isUsageError, type Task, UsageError } from '../../core/index.ts'
import { loadFamilies } from '../../lab/plugins.ts'
import type { FlagsOf, listFlags } from '../command-flags.ts'
import { alignedText, type Context, printJson, printText, terminalWidth } from '../output.ts'

type Flags = FlagsOf<typeof listFlags>

/** Characters of a range in a table; `--json` has all. */
const MAX_RANGE = 32
/** Presets that a list shows without `--all`. */
const MAX_PRESETS = 12

export default async function list(context: Context, flags: Flags, name?: string): Promise<void> {
  if (name === 'prices') {
    const { shippedPrices } = await import('../../models/index.ts')
    return printJson(context, shippedPrices)
  }
  const isPath = name !== undefined && existsSync(name)
  const families = await loadFamilies(isPath ? [...(flags.plugins ?? []), name] : flags.plugins)
  const tasks =
    name === undefined
      ? families.flatMap((family) => family.tasks)
      : isPath
        ? (families.at(-1)?.tasks ?? [])
        : tasksNamed(families, name)
  if (flags.json) return printJson(context, { schema: 'touchstone/list/1', tasks: tasks.map((task) => describe(task)) })
  const width = terminalWidth(context)
  if (name === undefined) return printText(context, ...overview(families, width))
  const [only] = tasks
  if (only !== undefined && (only.name === name || (isPath && tasks.length === 1)))
    printText(
      context,
      ...taskLines(only, isPath ? name : only.name, await baselinesOf(only), flags.all === true, width),
    )
  else printText(context, ...tasks.flatMap((task) => familyLines(task, flags.all === true, width)))
}

const baselinesOf = async (task: Task): Promise<readonly string[]> =>
  (await import('../../models/index.ts')).answeringBaselines(task)

/** A warning of the rows of a file that cannot be asked; null: all can, or columns must be named first. */
function skippedText(task: Task): string | null {
  try {
    return task.skipped?.(task.configure({}))?.text ?? null
  } catch (error) {
    if (isUsageError(error)) return error.message
    throw error
  }
}

/** The task of a name, or the tasks of a family. @throws UsageError */
function tasksNamed(families: readonly Family[], name: string): readonly Task[] {
  const tasks = families.flatMap((family) => family.tasks)
  const found = tasks.filter((task) => task.name === name || familyOf(task) === name)
  if (found.length > 0) return found
  const names = [...new Set(tasks.map(familyOf)), ...tasks.map((task) => task.name), 'prices']
  throw new UsageError(`unknown family, task or file "${name}"${hint(name, names)}. List them: touchstone list`)
}

const familyOf = ({ name }: Task): string => name.split('/')[0] ?? name

function overview(families: readonly Family[], width: number): readonly string[] {
  const rows = families.flatMap(({ tasks }) =>
    tasks.map((task) => [task.name, String(Object.keys(task.presets).length), task.summary]),
  )
  return [
    ...alignedText([['FAMILY/TASK', 'PRESETS', 'QUESTION'], ...rows], width, [1]),
    '',
    ...alignedText(
      [
        ['Presets and parameters:', 'touchstone list FAMILY | TASK'],
        ['Prices of models:', 'touchstone list prices'],
        ['Tables of the papers:', 'touchstone reproduce'],
      ],
      width,
    ),
  ]
}

/** The facts about a task that `--json` prints. */
function describe(task: Task) {
  return {
    name: task.name,
    version: task.version,
    summary: task.summary,
    presets: Object.entries(task.presets).map(([name, preset]) => ({
      name,
      aliases: preset.aliases ?? [],
      summary: preset.summary,
      size: sizeOf(task, name),
    })),
    parameters: parametersOf(task),
    styles: task.styles,
    templateParts: Object.keys(task.parts?.texts ?? {}),
    parsers: Object.keys(task.parsers ?? {}),
    baselines: Object.keys(task.baselines ?? {}),
    heuristics: Object.keys(task.heuristics ?? {}),
    analyses: task.analyses.map(({ id }) => id),
  }
}

/** Indices of a preset; null: endless, or a plan that takes seconds must be made first. */
const sizeOf = (task: Task, preset: string): number | null =>
  task.plan === undefined ? task.source(task.preset(preset).config, { split: 'test', seed: '1' }).layout.size : null

interface Parameter {
  readonly name: string
  /** Values or range. */
  readonly range: string
  readonly default: unknown
  readonly description: string
}

/** What `z.toJSONSchema` says of a parameter. */
interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly default?: unknown
  readonly description?: string
}

function parametersOf({ config }: Task): readonly Parameter[] {
  const { properties = {} } = z.toJSONSchema(config, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties as { readonly [name: string]: JsonSchema }).map(([name, schema]) => ({
    name,
    range: rangeOf(schema),
    default: schema.default ?? null,
    description: schema.description ?? '',
  }))
}

function rangeOf(schema: JsonSchema): string {
  const { anyOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (schema.enum !== undefined) return schema.enum.join(' | ')
  if (schema.const !== undefined) return String(schema.const)
  if (anyOf !== undefined) return [...new Set(anyOf.map(rangeOf))].join(' | ')
  if (schema.type === 'boolean') return 'true | false'
  if (schema.type === 'array') return `list of ${schema.items === undefined ? 'values' : rangeOf(schema.items)}`
  if (schema.type !== 'integer' && schema.type !== 'number') return schema.type === 'string' ? 'text' : 'mapping'
  const bound = (value: number | undefined): string =>
    value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : String(value)
  return `${bound(minimum ?? exclusiveMinimum)}..${bound(maximum ?? exclusiveMaximum)}`
}

function presetRows(task: Task, all: boolean): { readonly rows: readonly string[][]; readonly others: number } {
  const presets = Object.entries(task.presets)
  const shown = all ? presets : presets.slice(0, MAX_PRESETS)
  const rows = shown.map(([name, { summary, aliases = [] }]) => {
    const size = sizeOf(task, name)
    const also = aliases.length > 0 ? ` (also ${aliases.join(', ')})` : ''
    return [`  ${name}`, size === null ? (task.plan === undefined ? 'endless' : '') : String(size), `${summary}${also}`]
  })
  return { rows, others: presets.length - shown.length }
}

function familyLines(task: Task, all: boolean, width: number): readonly string[] {
  const { rows, others } = presetRows(task, all)
  const skipped = skippedText(task)
  return [
    `${task.name} (version ${task.version})`,
    task.summary,
    ...(skipped === null ? [] : [skipped]),
    ...alignedText(rows, width, [1]),
    ...(others === 0 ? [] : [`  ${others} more presets: touchstone list ${task.name} --all`]),
    '',
  ]
}

function taskLines(
  task: Task,
  what: string,
  baselines: readonly string[],
  all: boolean,
  width: number,
): readonly string[] {
  const { rows, others } = presetRows(task, all)
  const [first] = Object.keys(task.presets)
  const skipped = skippedText(task)
  const parameters = parametersOf(task)
  // Nested and long values are shown without their default.
  const shown = (value: unknown): string => {
    const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
    return text.length > 24 ? '...' : text
  }
  const heading =
    others === 0 ? 'Presets' : `Presets (${rows.length} of ${rows.length + others}; --all shows the others)`
  const named = (label: string, names: readonly string[], note = ''): readonly string[][] =>
    names.length === 0 ? [] : [[label, `${names.join(', ')}${note}`]]
  const marked = (names: readonly string[]): readonly string[] =>
    names.map((one, k) => (k === 0 ? `${one} (default)` : one))
  return [
    `${task.name} (version ${task.version})`,
    task.summary,
    ...(skipped === null ? [] : [skipped]),
    `Try: touchstone show ${what}${first === undefined ? '' : ` --preset ${first}`} --index 0`,
    '',
    heading,
    ...alignedText(rows, width, [1]),
    '',
    'Parameters (--set NAME=VALUE; a.b=VALUE sets a nested key)',
    ...alignedText(
      parameters.map((one) => [`  ${one.name}`, one.range.slice(0, MAX_RANGE), shown(one.default), one.description]),
      width,
    ),
    '',
    ...alignedText(
      [
        ...named('Prompt styles', marked(task.styles)),
        ...named('Template parts', Object.keys(task.parts?.texts ?? {})),
        ...named('Parts of examples', task.parts?.examples?.names ?? []),
        ...named('Parsers', marked(Object.keys(task.parsers ?? {}))),
        ...named('Baselines', groupedNames(baselines)),
        ...named('Heuristics', Object.keys(task.heuristics ?? {}), ' (reference line)'),
        ...named(
          'Analyses',
          task.analyses.map(({ id }) => id),
        ),
      ],
      width,
    ),
  ]
}

/** Most names of a group that are listed. */
const MAX_GROUP = 4

/** Names that differ in their last part as one: `markov:1`, `markov:2` become `markov:{1, 2}`; of many, the first two and the last. */
export function groupedNames(names: readonly string[]): readonly string[] {
  const groups = Map.groupBy(names, (name) => {
    const head = name.slice(0, name.lastIndexOf(':') + 1)
    return head === '' ? name : head
  })
  return [...groups].map(([head, members]) => {
    if (!head.endsWith(':') || members.length === 1) return members[0] as string
    const lasts = members.map((name) => name.slice(head.length))
    const shown = lasts.length <= MAX_GROUP ? lasts : [...lasts.slice(0, 2), '..', ...lasts.slice(-1)]
    return `${head}{${shown.join(', ')}}`
  })
}
