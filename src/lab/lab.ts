import type { z } from 'zod'
import { defined } from '../core/defined.ts'
import { type Line, UsageError } from '../core/index.ts'
import type { RepairResult } from '../runner/index.ts'
import type { RunComparison, RunMeasureComparison } from './compare.ts'
import { type Environment, loadEnvironment } from './environment.ts'
import { inStore, readProvenance } from './provenance.ts'
import * as requests from './requests/index.ts'
import { requireText, type Valid, validateRequest } from './requests/index.ts'
import type { RunResult } from './run-result.ts'

/**
 * Everything the command line does, as functions: they take plain options, return plain frozen data, report progress by
 * callback, and throw a `UsageError` (`kind: 'usage'`: the request is impossible, and what to do instead), a `StoreError`
 * (`kind: 'store'`: the disk) or, when a signal stopped them, an `AbortError`.
 */
export type Lab = Awaited<ReturnType<typeof openLab>>

interface Resume {
  /** Rebuilds the damaged ledger of a run from what can be read of it. */
  (run: string, request: requests.ResumeRequest & { readonly repair: true }): Promise<RepairResult>
  /** Continues a run folder; finished calls are not repeated. */
  (run: string, request?: requests.ResumeRequest): Promise<RunResult>
}

type Runs = readonly [string] | readonly [string, string]
interface Compare {
  /** Compares by a metric of loglikelihood items. */
  (runs: Runs, request: requests.CompareRequest & { readonly metric: string }): Promise<RunMeasureComparison>
  /** Compares two runs, two models or two styles on their shared items. */
  (runs: Runs, request?: requests.CompareRequest & { readonly metric?: undefined }): Promise<RunComparison>
  /** By a metric where one is named, or where the scores of logs lie between 0 and 1. */
  (runs: Runs, request: requests.CompareRequest): Promise<RunComparison | RunMeasureComparison>
}

/** The last parameter of a function: optional where a request has no required key. */
type Given<S extends z.ZodObject> = object extends z.input<S> ? [request?: z.input<S>] : [request: z.input<S>]

/**
 * A lab with the tasks of the package and of plugins.
 *
 * @example
 * import { openLab } from '@touchstone-eval/touchstone'
 *
 * const lab = await openLab()
 * const experiment = { items: [{ task: 'family/task', preset: 'small', count: 20 }], models: ['baseline:random'] }
 * const { counts } = await lab.run({ experiment, out: 'runs/first' })
 * const { report } = await lab.report('runs/first', { formats: ['html'] })
 * console.log(counts.done, report.analyses[0]?.tables[0]?.rows)
 *
 * @throws UsageError where a plugin cannot be loaded.
 */
export async function openLab(options: requests.LabOptions = {}) {
  const valid = validateRequest(requests.openLabRequest, options, 'openLab')
  const { plugins = [], folder, tasks, providers = [], env = process.env } = valid
  const open = (path: string | undefined, wanted?: readonly string[]) =>
    loadEnvironment(plugins, env, providers, path === undefined ? undefined : readProvenance(path), wanted)
  const here = await open(folder, tasks)
  /** The environment with the plugins and tasks of a folder. Those of a run of a store are known only once it is open. */
  const at = async (path: string): Promise<Environment> =>
    inStore(requireText(path)) ? here : here.madeWith(readProvenance(path))

  // The module of a function is loaded when it is first called: whoever generates a dataset loads no runner.
  /** A function of a request. */
  const ofRequest =
    <S extends z.ZodObject, T>(
      name: string,
      schema: S,
      load: () => Promise<(here: Environment, request: Valid<S>) => Promise<T>>,
    ) =>
    async (...[request]: Given<S>): Promise<T> => {
      const checked = validateRequest(schema, request, name)
      return deepFreeze(await (await load())(here, checked))
    }
  /** A function of a path and a request. */
  const ofPath =
    <S extends z.ZodObject, T>(
      name: string,
      schema: S,
      load: () => Promise<(here: Environment, path: string, request: Valid<S>) => Promise<T>>,
    ) =>
    async (path: string, ...[request]: Given<S>): Promise<T> => {
      const checked = validateRequest(schema, request, name)
      return deepFreeze(await (await load())(await at(path), path, checked))
    }
  return {
    /** The families of the package, those of plugins after them. */
    families: here.families,
    /** @throws UsageError naming the nearest task. */
    task: (name: string) => here.task(requireText(name, 'the name of a task')),
    /** The task of this name, or those of a file or folder of questions. @throws UsageError */
    tasksAt: (name: string) => here.tasksAt(requireText(name, 'the name of a task')),
    /** Writes a working task with its test: `family/task`, into the given folder or one of the name of the task. */
    async initTask(name: string, out?: string) {
      requireText(name, 'the name of a task')
      if (here.tasks.some((task) => task.name === name))
        throw new UsageError(`the task ${name} exists already. Choose another name`)
      return deepFreeze(await (await import('./init.ts')).startTask(name, out))
    },
    /** Runs the contract tests on a task, given by its name or by a dataset that it made. */
    checkTask: ofPath(
      'checkTask',
      requests.checkTaskRequest,
      async () => (await import('./check.ts')).runContractTests,
    ),
    /** Writes a dataset and returns its manifest. An error or abort leaves nothing behind. */
    generate: ofRequest(
      'generate',
      requests.generateRequest,
      async () => (await import('./datasets.ts')).generateDataset,
    ),
    /** Regenerates a dataset, a run (a folder, or `store:RUN`) or a seal and compares. */
    verify: ofPath('verify', requests.verifyRequest, async () => (await import('./verify.ts')).verifyPath),
    /** Content that two datasets share, up to renaming; of one dataset, its repeats and split partition. */
    overlap: ofPath('overlap', requests.overlapRequest, async () => (await import('./verify.ts')).overlapOf),
    /**
     * A dataset as items of an experiment: `run({ experiment: { items: [await lab.itemsOf(folder)], models }, out })`.
     *
     * @throws UsageError for a sealed dataset, a shard, or a task that makes other items here.
     */
    async itemsOf(folder: string) {
      const { itemsOfDataset } = await import('./items-of-dataset.ts')
      return deepFreeze(await itemsOfDataset(folder, (await at(folder)).task))
    },
    /** Searches a dataset for shortcuts. */
    audit: ofPath('audit', requests.auditRequest, async () => (await import('./datasets.ts')).auditFolder),
    /** Audits a task for every combination of parameter values. */
    auditGrid: ofRequest(
      'auditGrid',
      requests.auditGridRequest,
      async () => (await import('./audit-grid.ts')).auditGrid,
    ),
    /** Items, calls, tokens and cost of a run. Calls no model and writes nothing. */
    plan: ofRequest('plan', requests.planRequest, async () => (await import('./runs.ts')).planRun),
    /** Runs models, scores and saves. Returns when every call is done or failed, or the run was stopped. */
    run: ofRequest('run', requests.runRequest, async () => (await import('./runs.ts')).newRun),
    /** Runs models on the items of an imported run, in a new run folder. */
    runImported: ofPath(
      'runImported',
      requests.runImportedRequest,
      async () => (await import('./runs.ts')).runImported,
    ),
    /** Continues a run folder, or rebuilds its ledger. */
    resume: ofPath('resume', requests.resumeRequest, async () => (await import('./runs.ts')).resumeOrRepair) as Resume,
    /** State and counts of a run; `store:RUN` asks the store. */
    status: async (run: string) => deepFreeze(await (await import('./status.ts')).statusOf(await at(run), run)),
    /** Responses of a run: prompt, response, prediction and target. */
    responses: ofPath('responses', requests.responsesRequest, async () => (await import('./responses.ts')).responsesOf),
    /** Tables and figures of a run, as data and as files. */
    async report(run: string, request: requests.ReportRequest = {}) {
      const checked = validateRequest(requests.reportRequest, request, 'report')
      const { reportRun } = await import('./runs.ts')
      // Papers may print numbers for tasks that the run does not hold.
      const environment = (checked.withPaper ?? false) === false ? await at(run) : await open(requireText(run))
      return deepFreeze(await reportRun(environment, run, checked))
    },
    /** Compares two runs, two models or two styles on their shared items. */
    compare: (async (runs: Runs, request?: requests.CompareRequest) => {
      const checked = validateRequest(requests.compareRequest, request, 'compare')
      const { compareRuns } = await import('./compare.ts')
      return deepFreeze(await compareRuns(await at(requests.requireRuns(runs)[0]), runs, checked))
    }) as Compare,
    /** A table or figure of one of the papers: runs or resumes its experiment, and computes its analyses. */
    async reproduce(entry: string, request: requests.ReproduceRequest = {}) {
      const checked = validateRequest(requests.reproduceRequest, request, 'reproduce')
      const { reproduce } = await import('./reproduce.ts')
      return deepFreeze(await reproduce(here, requireText(entry, 'the name of a table or figure'), checked))
    },
    /** Imports a published release (`what`: a family or importer) or responses (`responses`, or a tool). */
    async import(what: string, from: string | readonly string[], request: requests.ImportRequest) {
      const checked = validateRequest(requests.importRequest, request, 'import')
      const { importFrom } = await import('./imports.ts')
      return deepFreeze(await importFrom(await at(checked.items ?? checked.out), what, from, checked))
    },
    /** Writes a run, a dataset or a task in the format of another tool, or files that the task offers. */
    export: ofPath('export', requests.exportRequest, async () => (await import('./exports.ts')).exportTo),
    /** Prompts of a run or dataset, or rows of a run, page by page. */
    async *exportLines(from: string, request: requests.ExportLinesRequest): AsyncGenerator<readonly object[]> {
      const checked = validateRequest(requests.exportLinesRequest, request, 'exportLines')
      yield* (await import('./exports.ts')).exportLines(await at(from), from, checked)
    },
    /** Serves items and scores over HTTP until it is closed. */
    async serve(request: requests.ServeRequest = {}) {
      const checked = validateRequest(requests.serveRequest, request, 'serve')
      return (await import('./serve.ts')).serveItems(here, checked)
    },
    /** Commits to an exam: the commitment to publish, the secret to keep. */
    commitExam: ofRequest('commitExam', requests.examRequest, async () => (await import('./exams.ts')).commitExam),
    /** Binds the secret of an exam to a future beacon round. */
    announceExam: ofRequest(
      'announceExam',
      requests.examRequest,
      async () => (await import('./exams.ts')).announceExam,
    ),
    /** Regenerates an exam and compares it with its commitment, or checks the proof of one item. */
    async revealExam(commitment: string, request: requests.RevealRequest = {}) {
      const checked = validateRequest(requests.revealRequest, request, 'revealExam')
      const { commitmentPath, revealExam } = await import('./exams.ts')
      const path = commitmentPath(requireText(commitment))
      return deepFreeze(await revealExam(await at(path), path, checked))
    },
    /** The proof of one item of an exam; it reveals nothing about the others. */
    async proveExamItem(commitment: string, index: number, request: requests.ProveRequest = {}) {
      const checked = validateRequest(requests.proveRequest, request, 'proveExamItem')
      const { commitmentPath, proveExamItem } = await import('./exams.ts')
      const path = commitmentPath(requireText(commitment))
      return deepFreeze(await proveExamItem(await at(path), path, index, checked))
    },
    /** Verifies a finished run (a folder, or `store:RUN`) and writes a seal that anyone can verify offline. */
    seal: ofPath('seal', requests.sealRequest, async () => (await import('./seals.ts')).sealFile),
    /** Moves the open calls of a run to a PostgreSQL store, for workers on many machines. */
    push: ofPath('push', requests.storeRequest, async () => (await import('./shared.ts')).pushFolder),
    /** Brings the results of workers back into the run folder. */
    pull: ofPath('pull', requests.storeRequest, async () => (await import('./shared.ts')).pullFolder),
    /** Works on the runs of a store beside any number of other workers, until no call is pending. */
    runWorker: ofRequest('runWorker', requests.workerRequest, async () => (await import('./shared.ts')).runWorker),
    /** State of the runs of a store. */
    storeStatus: ofRequest('storeStatus', requests.storeStatusRequest, async () => {
      const { statusOfStore } = await import('./store-address.ts')
      return statusOfStore
    }),
    /** Updates the local copy of `store:RUN`: a run folder for everything that reads one. */
    mirror: async (run: string) => deepFreeze(await (await import('./stored.ts')).mirrored(here, requireText(run))),
    /** Joins the shards of one dataset or of one run. */
    async merge(folders: readonly string[], out: string) {
      const [first] = requests.requireFolders(folders)
      const { mergeShards } = await import('./merge.ts')
      return deepFreeze(await mergeShards(await at(first), folders, requireText(out)))
    },
    /** Parses and scores every response of a run again, offline. */
    score: ofPath('score', requests.scoreRequest, async () => (await import('./score.ts')).scoreRun),
    /** Parses and scores responses that come as JSON lines, in their order. */
    async *grade(lines: AsyncIterable<readonly Line[]>, request: requests.GradeRequest = {}) {
      const { rawSeeds, ...checked } = validateRequest(requests.gradeRequest, request, 'grade')
      const { gradeLines } = await import('../extras/protocols/grade.ts')
      yield* gradeLines(here.tasks, lines, { ...checked, ...defined({ plainSeeds: rawSeeds }) })
    },
    /** Asks judges to label responses of a run, in a separate run. */
    judge: ofPath('judge', requests.judgeRequest, async () => (await import('./judge.ts')).judgeRun),
    /** Agreement of raters on the labels of a CSV file; judges of a run count as raters. */
    async agreement(labels: string, judge?: string, run?: string) {
      requireText(labels)
      const { agreementOf } = await import('./agreement.ts')
      if (run === undefined) return deepFreeze(await agreementOf(labels, judge))
      const { judgedLabels } = await import('./judgements.ts')
      return deepFreeze(await agreementOf(labels, judge, await judgedLabels(await at(run), run)))
    },
    /** Chooses prompt style and parser per model on a finished validation run; writes selection.json into it. */
    select: ofPath('select', requests.selectRequest, async () => (await import('./select.ts')).selectStyles),
    /** Difference in differences: published against fresh items, a model against reference models. */
    async contamination(published: string, fresh: string, request: requests.ContaminationRequest) {
      const checked = validateRequest(requests.contaminationRequest, request, 'contamination')
      const { contaminationIn } = await import('./contamination.ts')
      return deepFreeze(await contaminationIn(await at(published), published, fresh, checked))
    },
  }
}

/** Freezes plain data: lists and records, nothing with behaviour. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}
