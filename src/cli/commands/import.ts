import type { Imported } from '../../lab/index.ts'
import { rejectOptions } from '../../lab/requests/index.ts'
import type { FlagsOf, importFlags } from '../command-flags.ts'
import { labOf } from '../lab.ts'
import { type Context, exits, plural, print, printJson } from '../output.ts'

type Flags = FlagsOf<typeof importFlags>

export default async function importCommand(
  context: Context,
  flags: Flags,
  what: string,
  ...paths: readonly string[]
): Promise<void> {
  const { json, plugins, from, ...request } = flags
  // `responses --from TOOL` is the same as `TOOL`.
  if (what !== 'responses') rejectOptions(flags, ['from'], 'only for responses')
  const { out } = request
  const lab = await labOf({ plugins }, request.items ?? out)
  const found = await lab.import(from ?? what, paths, request)
  const nothing = found.responses === 0 && (found.kind === 'responses' || found.items === 0)
  if (nothing) context.process.exitCode = exits.failed
  if (json) return printJson(context, documentOf(out, found))
  print(context, ...summaryOf(found, paths, out), ...problemLines(found.problems), ...nextOf(found, paths, out))
}

function summaryOf(found: Imported, paths: readonly string[], out: string): readonly string[] {
  if (found.kind === 'release')
    return [
      `${out}: ${plural(found.items, 'item')} in ${plural(found.groups, 'group')}, ${plural(found.responses, 'response')}`,
      ...Object.entries(found.counts).map(([name, count]) => `  ${name} ${count}`),
    ]
  return found.lines === 0
    ? [`${out}: ${paths.join(', ')} holds no response`]
    : [`${out}: ${found.responses} of ${plural(found.lines, 'response')} imported`]
}

function nextOf(found: Imported, from: readonly string[], out: string): readonly string[] {
  if (found.kind === 'responses') return []
  if (found.responses > 0) return [`next: touchstone report ${out}`]
  return found.items > 0
    ? [`next: touchstone run ${out} --model PROVIDER:MODEL --out DIR`]
    : [`found nothing to import in ${from.join(', ')}; searched for: ${found.sought.join('; ')}`]
}

/** The document of `--json`. */
function documentOf(out: string, found: Imported) {
  const schema = 'touchstone/import/1'
  if (found.kind === 'responses') {
    const { lines, responses, problems } = found
    return { schema, out, lines, responses, problems }
  }
  const { counts, groups, items, responses, problems } = found
  return {
    schema,
    out,
    ...counts,
    groups,
    items,
    responses,
    problems: problems.map(({ problem, path, line, count, message }) => ({
      kind: problem,
      path,
      line,
      count,
      message,
    })),
  }
}

type Problem = Imported['problems'][number]

/** Most kinds of problem that are printed. */
const MAX_PROBLEMS = 40

/** Each message once, at its first place, with its count; the most frequent first. */
function problemLines(problems: readonly Problem[]): readonly string[] {
  const kinds = [...Map.groupBy<string, Problem>(problems, ({ message }) => message)].map(([message, same]) => {
    const count = same.reduce((sum, one) => sum + one.count, 0)
    const { path, line } = same[0] as Problem
    return {
      count,
      text: `  ${path}${line === null ? '' : `:${line}`}: ${message}${count > 1 ? ` (${count} times)` : ''}`,
    }
  })
  const lines = kinds.toSorted((a, b) => b.count - a.count).map(({ text }) => text)
  const more = lines.length - MAX_PROBLEMS
  return more > 0 ? [...lines.slice(0, MAX_PROBLEMS), `  and ${more} more; --json lists all`] : lines
}
