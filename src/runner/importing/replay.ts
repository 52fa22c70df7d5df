import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Task, UsageError } from '../../core/index.ts'
import { type ModelResponse, plainAnswer, type Replay } from '../../models/index.ts'
import { Ledger, noRedaction, readJsonlLines } from '../../store/index.ts'
import { RUN_FILES } from '../folder/run.ts'
import { readRunFile } from '../folder/run-file.ts'
import type { RunSource } from '../plan/resolve.ts'
import { parseImported } from './import-responses.ts'

/**
 * Opens recorded responses: a run folder, `FOLDER#MODEL` if it has several models, or a JSONL file as for
 * `import responses`.
 *
 * @example
 * import { openReplay } from '@touchstone-eval/touchstone/node'
 *
 * export const recorded = (path: string) => openReplay(path)
 */
export async function openReplay(path: string): Promise<Replay> {
  const hash = path.lastIndexOf('#')
  const facts = await stat(path).catch(() => null)
  const place = facts === null && hash > 0 ? path.slice(0, hash) : path
  const model = facts === null && hash > 0 ? path.slice(hash + 1) : null
  const found = facts ?? (await stat(place).catch(() => null))
  if (found === null) throw new UsageError(`replay: there is no ${place}`)
  return found.isDirectory() ? replayLedger(place, model) : replayFile(place, model)
}

async function replayLedger(folder: string, model: string | null): Promise<Replay> {
  const { sources } = await readRunFile(join(folder, RUN_FILES.run))
  const ledger = new Ledger(join(folder, RUN_FILES.ledger), {
    readOnly: true,
    redact: { known: noRedaction, shapes: noRedaction },
  })
  const models = ledger.models()
  const name = model ?? models[0]
  if (name === undefined || !models.includes(name) || (model === null && models.length > 1)) {
    void ledger[Symbol.asyncDispose]()
    throw new UsageError(`replay: write ${folder}#MODEL with one of ${models.join(', ') || '(no models)'}`)
  }
  const settings = ledger.settings(name)
  return {
    settings,
    against: (task) => differing(folder, sources, task),
    find: (call) => {
      const [only] = settings.length === 1 ? settings : [call.settings]
      const response = ledger.find({ ...call, settings: only ?? call.settings, model: name })
      if (response === null) return Promise.resolve(null)
      // A replayed response costs nothing.
      const { usd: _, maxUsd: __, cached: ___, refusedCounts: ____, ...usage } = response.usage
      return Promise.resolve(plainAnswer(response.text, { ...response, kind: 'answer', usage }))
    },
    close: async () => {
      await ledger[Symbol.asyncDispose]()
    },
  }
}

function differing(
  folder: string,
  sources: readonly RunSource[],
  { name, version, promptVersion }: Task,
): string | null {
  const own = sources.filter(({ task }) => task === name)
  if (own.some((source) => source.version === version && source.promptVersion === promptVersion)) return null
  const [one] = own
  if (one === undefined)
    return `${folder} asked nothing of ${name}, but of ${[...new Set(sources.map(({ task }) => task))].join(', ')}`
  const [what, then, now] =
    one.version === version ? ['prompt version', one.promptVersion, promptVersion] : ['version', one.version, version]
  return `${folder} was asked with ${what} ${then} of ${name}, installed is ${what} ${now}: its responses answer other ${what === 'prompt version' ? 'prompts' : 'items'}; \`touchstone analyze score\` and \`report\` take it as it is`
}

/** A file is kept in memory, since calls come in any order. @throws UsageError for a malformed line, or one that contradicts an earlier one */
async function replayFile(path: string, model: string | null): Promise<Replay> {
  const known = new Map<string, { readonly number: number; readonly answer: ModelResponse }>()
  const models = new Set<string>()
  let wanted = model
  const key = (item: string, style: string, sample: number): string => JSON.stringify([item, style, sample])
  for await (const lines of readJsonlLines(path)) {
    for (const { number, row } of lines) {
      const line = parseImported(row)
      if (line.kind === 'wrong') throw new UsageError(`${path}: line ${number}: ${line.message}`)
      models.add(line.response.model)
      wanted ??= line.response.model
      if (line.response.model !== wanted) continue
      const { item, style, sample, text, finish, reasoning, usage } = line.response
      const answer = plainAnswer(text, { finish, reasoning, usage })
      const before = known.get(key(item, style, sample))
      if (before !== undefined && !isDeepStrictEqual(before.answer, answer))
        throw new UsageError(
          `${path}: line ${number} answers ${item} in style "${style}", sample ${sample}, as line ${before.number} does with another text. Leave one of them out`,
        )
      known.set(key(item, style, sample), { number, answer })
    }
  }
  if (model === null ? models.size > 1 : !models.has(model))
    throw new UsageError(`replay: write ${path}#MODEL with one of ${[...models].join(', ') || '(no models)'}`)
  return {
    settings: [],
    against: () => null,
    find: ({ item, style, sample }) => Promise.resolve(known.get(key(item, style, sample))?.answer ?? null),
    close: () => Promise.resolve(),
  }
}
