import { buildCommand } from '@stricli/core'
import type { Imported } from '../../lab/index.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { labOf } from '../lab.ts'
import { print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag, rejectFlags, text } from '../words.ts'

interface Flags {
  readonly out: string
  readonly items?: string
  readonly from?: string
  readonly model?: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const importCommand = buildCommand<Flags, string[], Context>({
  docs: {
    brief: 'Take in a published release, or responses made elsewhere',
    fullDescription:
      'touchstone import FAMILY DIR --out RUN makes a run of a published release, of all its parts or of the one named; ' +
      'touchstone run RUN --model M --out DIR then asks a model its items. ' +
      'touchstone import responses FILE --out RUN [--items DATASET] takes JSON lines {item, style, model, sample, text} into a run, ' +
      'or makes one of the items of a dataset; so does touchstone import TOOL FILE... (or import responses FILE... --from TOOL) with the files of another tool (docs/exchange.md).',
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: {
        brief: 'A family, "responses" or a tool; then the folder, or the files of responses',
        parse: text,
        placeholder: 'kind from',
      },
      minimum: 2,
    },
    flags: {
      out: { kind: 'parsed', parse: text, brief: 'The run folder' },
      items: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Of responses: the dataset they answer, where the run is to be made',
      },
      from: { kind: 'parsed', parse: text, optional: true, brief: 'Of responses: the tool whose file it is' },
      model: { kind: 'parsed', parse: text, optional: true, brief: 'Of responses whose file does not name the model' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, what, ...from) {
    const { out, items, model } = flags
    const lab = await labOf(flags, items ?? out)
    const asked = { out, ...(items === undefined ? {} : { items }), ...(model === undefined ? {} : { model }) }
    const found = await lab.import(toolOf(what, flags), from, asked)
    const { problems } = found
    const nothing = found.responses === 0 && (found.kind === 'responses' || found.items === 0)
    if (nothing) this.process.exitCode = exits.failed
    if (flags.json) return printJson(this, documentOf(out, found))
    const taken =
      found.kind === 'release'
        ? [
            `${out}: ${found.items} items in ${found.groups} groups, ${found.responses} responses`,
            ...Object.entries(found.counts).map(([name, count]) => `  ${name} ${count}`),
          ]
        : [
            `${out}: ${found.lines === 0 ? `${from.join(', ')} holds no response` : `${found.responses} of ${found.lines} responses taken`}`,
          ]
    print(this, ...taken, ...problemLines(problems), ...nextOf(found, from, out))
  },
})

function nextOf(found: Imported, from: readonly string[], out: string): readonly string[] {
  if (found.kind === 'responses') return []
  if (found.responses > 0) return [`next: touchstone report ${out}`]
  return found.items > 0
    ? [`next: touchstone run ${out} --model PROVIDER:MODEL --out DIR`]
    : [`nothing in ${from.join(', ')} could be taken in; looked for: ${found.sought.join('; ')}`]
}

/** `responses --from TOOL` is another way to say `TOOL`. */
function toolOf(what: string, flags: Flags): string {
  if (what !== 'responses') rejectFlags(flags, ['from'], 'of responses')
  return flags.from ?? what
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

/** Kinds of problem that are printed; `--json` lists every one. */
const MAX_PROBLEMS = 40

/** Equal messages once, at the first place, with how often; the most frequent ones first. */
function problemLines(problems: readonly Problem[]): readonly string[] {
  const kinds = [...Map.groupBy<string, Problem>(problems, ({ message }) => message)].map(([message, same]) => {
    const count = same.reduce((sum, one) => sum + one.count, 0)
    const { path, line } = same[0] as Problem
    return {
      count,
      text: `  ${path}${line === null ? '' : `:${line}`}: ${message}${count > 1 ? ` (${count} times)` : ''}`,
    }
  })
  const lines = kinds.toSorted((a, b) => b.count - a.count).map(({ text: said }) => said)
  const more = lines.length - MAX_PROBLEMS
  return more > 0 ? [...lines.slice(0, MAX_PROBLEMS), `  and ${more} more; --json lists all`] : lines
}
