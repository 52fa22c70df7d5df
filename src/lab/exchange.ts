import { appendFile, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type Detail, hint, type RunContent, type Task, UsageError } from '../core/index.ts'
import { columnsOf, type Dataset } from '../datasets/index.ts'
import { answerExports } from '../extras/exchange/answer-exports.ts'
import { datasetExports } from '../extras/exchange/dataset-exports.ts'
import { datasetQuestions } from '../extras/exchange/dataset-questions.ts'
import { type Reader, readResponses } from '../extras/exchange/imports.ts'
import type { About, Sink } from '../extras/exchange/line.ts'
import { questionExports } from '../extras/exchange/questions.ts'
import { keysOfRun, runAnswers, runQuestions } from '../extras/exchange/run-questions.ts'
import {
  createRun,
  executeRun,
  parseExperiment,
  type ResponseText,
  type Run,
  type RunContext,
} from '../runner/index.ts'
import { explained, makeFolder, writeFileAtomic } from '../store/index.ts'
import { styleOf } from './datasets.ts'
import { itemsOfDataset } from './items-of-dataset.ts'
import { version } from './package.ts'

/** Forms of other tools, by the name that `export --to` knows them by. */
export const exchangeNames: readonly string[] = [questionExports, answerExports, datasetExports].flatMap(Object.keys)
export const isExchange = (name: string): boolean => exchangeNames.includes(name)

export interface ExchangeOptions {
  readonly to: string
  /** Of requests: which model they name, and the most tokens of an answer. */
  readonly model: string
  readonly maxTokens: number
  /** Of worked solutions. */
  readonly detail: Detail
  /** Of experiments: most questions that a person is asked; null: as many as there are. */
  readonly perPerson: number | null
  /** Of experiments: a folder that holds the scripts; null: the network. */
  readonly scripts: string | null
}

/** A folder that is written into: new or empty. @throws UsageError where it holds anything. */
export async function folderSink(folder: string): Promise<Sink & { readonly files: ReadonlySet<string> }> {
  await makeFolder(folder)
  if ((await explained(folder, () => readdir(folder))).length > 0)
    throw new UsageError(`${folder} is not empty: give a new or an empty folder`)
  const files = new Set<string>()
  const place = async (path: string): Promise<string> => {
    files.add(path)
    const full = join(folder, path)
    await makeFolder(join(full, '..'))
    return full
  }
  return {
    files,
    async append(path, text) {
      const full = await place(path)
      await explained(full, () => appendFile(full, text))
    },
    async whole(path, bytes) {
      await writeFileAtomic(await place(path), bytes)
    },
  }
}

const about = (
  name: string,
  split: string,
  { model, maxTokens, detail, perPerson, scripts }: ExchangeOptions,
): About => ({
  name,
  split,
  version,
  created: new Date().toISOString(),
  model,
  maxTokens,
  detail,
  perPerson,
  scripts,
})

/** A run as a task's own exporters see it. */
export const runContent = (run: Run): RunContent => ({
  async *items() {
    for await (const page of run.ledger.items())
      for (const { item, shared } of page) {
        const { id, group, given, answer, features } = item
        yield { id, group, shared, given, answer, features }
      }
  },
  async *responses() {
    for await (const page of run.ledger.finishedCalls())
      for (const { item, shared, style, model, response } of page) {
        const request = run.sources.request(item, shared, style)
        yield {
          item: item.id,
          model,
          style,
          messages: request.kind === 'chat' ? request.messages : [],
          text: response?.text ?? null,
          finish: response?.finish ?? 'unknown',
          usage: response?.usage ?? {},
        }
      }
  },
})

/** Writes what a run asked or got for another tool. @returns what was written, in words. */
export async function exportRun(run: Run, sink: Sink, options: ExchangeOptions): Promise<string> {
  const facts = about(run.file.name, 'run', options)
  const answers = Object.hasOwn(answerExports, options.to) ? answerExports[options.to] : undefined
  if (answers !== undefined) {
    await answers.write(runAnswers(run), sink, facts)
    return answers.describe
  }
  const questions = Object.hasOwn(questionExports, options.to) ? questionExports[options.to] : undefined
  if (questions === undefined) throw new UsageError(`\`to\` ${options.to} is of a dataset, and ${run.dir} is a run`)
  await questions.write(runQuestions(run), sink, facts)
  return questions.describe
}

/** Writes the questions of a dataset, or a file about it, for another tool. @returns what was written, in words. */
export async function exportDataset(
  dataset: Dataset,
  task: Task,
  style: string | undefined,
  sink: Sink,
  options: ExchangeOptions,
): Promise<string> {
  const facts = about(basename(resolve(dataset.folder)), dataset.manifest.split, options)
  const whole = Object.hasOwn(datasetExports, options.to) ? datasetExports[options.to] : undefined
  if (whole !== undefined) {
    const columns = columnsOf(task, 'items', dataset.manifest).map(({ name }) => name)
    for (const { path, text } of whole.files(dataset, columns, facts)) await sink.append(path, text)
    return whole.describe
  }
  const questions = Object.hasOwn(questionExports, options.to) ? questionExports[options.to] : undefined
  if (questions === undefined)
    throw new UsageError(
      `\`to\` ${options.to} is of a run, and ${dataset.folder} is a dataset${hint(options.to, Object.keys(questionExports))}`,
    )
  await questions.write(datasetQuestions(dataset, task, styleOf(task, style)), sink, facts)
  return questions.describe
}

/** A run without models: the items of a dataset in every style, for answers made elsewhere. */
export async function runOfDataset(folder: string, dir: string, context: RunContext): Promise<Run> {
  const items = await itemsOfDataset(folder, context.tasks)
  const style = [...(context.tasks(items.task)?.styles ?? [])]
  const experiment = parseExperiment({
    name: basename(resolve(folder)),
    seed: items.seed,
    items: [{ ...items, style }],
  })
  const run = await createRun({ experiment, dir }, context)
  await executeRun(run, {})
  return run
}

/** The responses in files of another tool, as lines that a run takes. */
export async function responsesOf(
  run: Run,
  reader: Reader,
  paths: readonly [string, ...string[]],
  model: string | null,
): Promise<AsyncIterable<readonly ResponseText[]>> {
  return readResponses(reader, paths, await keysOfRun(run), model)
}
