import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { type Family, hint, type Importer, type ImportProblem, UsageError } from '../../core/index.ts'
import type { Reader } from '../../exchange/imports.ts'
import { loadFamilies } from '../../lab/plugins.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { print, printJson } from '../output.ts'
import { runContext } from '../runs.ts'
import { jsonFlag, pluginFlag, refuseFlags, text } from '../words.ts'

interface Flags {
  readonly out: string
  readonly items?: string
  readonly model?: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

const responses = 'responses'

export const importCommand = buildCommand<Flags, [string, string], Context>({
  docs: {
    brief: 'Take in a published release, or responses made elsewhere',
    fullDescription:
      'touchstone import FAMILY DIR --out RUN makes a run of a published release, of all its parts or of the one named; ' +
      'touchstone run RUN --model M --out DIR then asks a model its items. ' +
      'touchstone import responses FILE --out RUN [--items DATASET] takes JSON lines {item, style, model, sample, text} into a run, ' +
      'or makes one of the items of a dataset; so does touchstone import TOOL FILE with the files of another tool (docs/exchange.md).',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: 'A family, or "responses"', parse: text, placeholder: 'kind' },
        { brief: 'The folder or file', parse: text, placeholder: 'from' },
      ],
    },
    flags: {
      out: { kind: 'parsed', parse: text, brief: 'The run folder' },
      items: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Of responses: the dataset they answer, where the run is to be made',
      },
      model: { kind: 'parsed', parse: text, optional: true, brief: 'Of responses whose file does not name the model' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, kind, from) {
    await access(from).catch(() => {
      throw new UsageError(`${from} is not there, or cannot be read`)
    })
    const { responseReaders } = await import('../../exchange/imports.ts')
    const reader = Object.hasOwn(responseReaders, kind) ? responseReaders[kind] : undefined
    if (kind === responses || reader !== undefined) return takeResponses(this, flags, from, reader ?? null)
    refuseFlags(flags, ['items', 'model'], 'of responses')
    const context = await runContext(flags.plugin, flags.out)
    const { importRelease } = await import('../../runner/index.ts')
    const { folderTree } = await import('../../store/index.ts')
    const importers = importersOf(await loadFamilies(flags.plugin), kind, Object.keys(responseReaders))
    const result = await importRelease({ importers, files: folderTree(from), dir: flags.out }, context)
    if (flags.json)
      return printJson(this, {
        schema: 'touchstone/import/1',
        out: flags.out,
        ...result.counts,
        groups: result.groups,
        items: result.items,
        responses: result.responses,
        problems: result.problems.map(({ problem, path, line, count, message }) => ({
          kind: problem,
          path,
          line,
          count,
          message,
        })),
      })
    print(
      this,
      `${flags.out}: ${result.items} items in ${result.groups} groups, ${result.responses} responses`,
      ...Object.entries(result.counts).map(([name, count]) => `  ${name} ${count}`),
      ...problemLines(result.problems),
      `next: touchstone report ${flags.out}`,
    )
  },
})

/** All that read a family's releases, or one of them. @throws UsageError for a name that is neither. */
function importersOf(families: readonly Family[], kind: string, readers: readonly string[]): readonly Importer[] {
  const family = families.find(({ name, importers }) => name === kind && importers.length > 0)
  if (family !== undefined) return family.importers
  const all = families.flatMap(({ importers }) => importers)
  const found = all.find(({ name }) => name === kind)
  if (found !== undefined) return [found]
  const parts = families.filter(({ importers }) => importers.length > 0).map(({ name }) => name)
  const names = [...new Set([...parts, ...all.map(({ name }) => name), responses, ...readers])]
  throw new UsageError(`cannot import "${kind}"${hint(kind, names)}; there are ${names.join(', ')}`)
}

const problemLines = (problems: readonly Pick<ImportProblem, 'path' | 'line' | 'count' | 'message'>[]): string[] =>
  problems.map(
    ({ path, line, count, message }) =>
      `  ${path}${line === null ? '' : `:${line}`}: ${message}${count > 1 ? ` (${count} times)` : ''}`,
  )

async function takeResponses(context: Context, flags: Flags, file: string, reader: Reader | null): Promise<void> {
  const { importResponses, openRun, withRun } = await import('../../runner/index.ts')
  const { runOfDataset, responsesOf } = await import('../../lab/exchange.ts')
  const there = await isThere(join(flags.out, 'run.json'))
  if (there && flags.items !== undefined)
    throw new UsageError(`--items: ${flags.out} is a run already, with its own items`)
  if (!there && flags.items === undefined)
    throw new UsageError(`${flags.out} is no run: name the dataset that was asked with --items, and the run is made`)
  const around = await runContext(flags.plugin, flags.items ?? flags.out)
  const run =
    flags.items === undefined
      ? await openRun(flags.out, around, { mode: 'write' })
      : await runOfDataset(flags.items, flags.out, around)
  await withRun(run, async (open) => {
    const lines = reader === null ? undefined : await responsesOf(open, reader, file, flags.model ?? 'imported')
    const result = await importResponses(open, file, lines)
    if (result.responses === 0) context.process.exitCode = exits.failed
    if (flags.json) return printJson(context, { schema: 'touchstone/import/1', out: flags.out, ...result })
    print(
      context,
      `${flags.out}: ${result.responses} of ${result.lines} responses taken`,
      ...problemLines(result.problems),
    )
  })
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
