import { type Family, type Line, type Task, UsageError } from '../core/index.ts'
import type { Announcement, Audit, Commitment, ItemProof, Manifest, Overlap, Verification } from '../datasets/index.ts'
import type { Graded, GradeRequest } from '../extras/protocols/grade.ts'
import type { Listening } from '../extras/protocols/listen.ts'
import type { Provider } from '../models/index.ts'
import type {
  DryRun,
  MergeResult,
  Mirrored,
  RepairResult,
  RunVerification,
  SealVerification,
  TransferResult,
} from '../runner/index.ts'
import { type Agreement, agreementOf } from './agreement.ts'
import { type AuditedCell, type AuditGridRequest, auditGrid } from './audit-grid.ts'
import { type Checked, type CheckRequest, checkLaws } from './check.ts'
import {
  type CompareMeasureRequest,
  type CompareRequest,
  compareMeasured,
  compareRuns,
  type RunComparison,
  type RunMeasureComparison,
} from './compare.ts'
import { type ContaminationRequest, contaminationIn, type FoundContamination } from './contamination.ts'
import {
  type AuditRequest,
  auditFolder,
  type GenerateRequest,
  generateDataset,
  type VerifyRequest,
} from './datasets.ts'
import {
  announceExam,
  type Bound,
  commitExam,
  commitmentPath,
  type ExamRequest,
  proveExamItem,
  type Revealed,
  type RevealRequest,
  revealExam,
} from './exams.ts'
import { type Exported, type ExportRequest, exportLines, exportTo, type LinesRequest } from './exports.ts'
import { frozen } from './frozen.ts'
import { type Imported, type ImportRequest, importFrom } from './imports.ts'
import { type Started, startTask } from './init.ts'
import { type Installed, install } from './installed.ts'
import { type DatasetItems, itemsOfDataset } from './items-of-dataset.ts'
import { type JudgeRequest, type JudgeResult, judgedLabels, judgeRun } from './judge.ts'
import { mergeShards } from './merge.ts'
import { type OverlapRequest, overlapOf } from './overlaps.ts'
import { recordedIn } from './recorded.ts'
import { type ReproduceRequest, type Reproduction, reproduce } from './reproduce.ts'
import { foldersGiven, requested, runsGiven, textGiven } from './requests.ts'
import { type Responses, type ResponsesRequest, responsesOf } from './responses.ts'
import {
  type AskImportedRequest,
  askImported,
  newRun,
  planRun,
  type ReportRequest,
  type ReportResult,
  type ResumeRequest,
  type RunRequest,
  type RunResult,
  reportRun,
  resumeRun,
} from './runs.ts'
import { type ScoreRequest, type ScoreResult, scoreRun } from './score.ts'
import { type Sealed, type SealRequest, sealFile } from './seals.ts'
import { type Selection, type SelectRequest, selectStyles } from './select.ts'
import type { ServeRequest } from './serve.ts'
import {
  pullFolder,
  pushFolder,
  type StoreRequest,
  type StoreStatus,
  statusOfStore,
  type Worked,
  type WorkRequest,
  workOn,
} from './shared.ts'
import { type RunStatus, statusOf } from './status.ts'
import { inStore, mirrored } from './stored.ts'
import { verifyPath } from './verify.ts'

/** What a lab has beside the package: plugins, and where it takes things from. */
export interface LabOptions {
  /** Modules with tasks, families or token counters of your own: paths, or names of installed packages. */
  readonly plugins?: readonly string[]
  /** A dataset or run that may have been made with plugins: they are taken where none are named. */
  readonly folder?: string
  /**
   * The tasks that will be asked for by name: a lab of these, and of what a folder that it is shown was made of, is opened sooner.
   * Left out: all there are.
   */
  readonly tasks?: readonly string[]
  /** Ways to reach models besides those of the package. */
  readonly providers?: readonly Provider[]
  /** Where keys and base URLs are looked up; left out: the environment of the process. */
  readonly env?: { readonly [name: string]: string | undefined }
}

/**
 * Everything the command line does, as functions: they take plain options, return plain frozen data, tell of progress by
 * callback, and throw a `UsageError` (`kind: 'usage'`: what was asked cannot be done, and what to ask instead), a
 * `StoreError` (`kind: 'store'`: the disk) or, when a signal stopped them, an `AbortError`.
 */
export interface Lab {
  /** The families of the package, those of plugins after them. */
  readonly families: readonly Family[]
  /** @throws UsageError naming the nearest task. */
  task(name: string): Task
  /** Writes a working task of your own with its test: `family/task`, into the folder given or one of the task's name. */
  init(name: string, out?: string): Promise<Started>
  /** Writes a dataset and returns its manifest. What goes wrong or is stopped leaves nothing behind. */
  generate(request: GenerateRequest): Promise<Manifest>
  /** Checks a dataset, a run (a folder, or `store:RUN`) or the file of a seal: what it holds is made anew and compared. */
  verify(path: string, request?: VerifyRequest): Promise<Verification | RunVerification | SealVerification>
  /**
   * What a dataset folder holds, as items of an experiment: `run({ experiment: { items: [await lab.itemsOf(folder)], models }, out })`.
   *
   * @throws UsageError where the set is sealed or a part, or its task makes other items here.
   */
  itemsOf(folder: string): Promise<DatasetItems>
  /** Looks for shortcuts in a dataset folder. */
  audit(folder: string, request?: AuditRequest): Promise<Audit>
  /** Looks for shortcuts in a set of every combination of some knobs' values. */
  auditGrid(request: AuditGridRequest): Promise<readonly AuditedCell[]>
  /** Which contents two datasets share, up to renaming; of one: does its fence hold? */
  overlap(folder: string, request?: OverlapRequest): Promise<Overlap>
  /** Asks every law of a task, by its name or by a dataset that it made: what does not hold, on which item. */
  check(what: string, request?: CheckRequest): Promise<Checked>
  /** What a run would ask and cost. Asks nothing and writes nothing. */
  plan(request: Pick<RunRequest, 'experiment' | 'limit' | 'prices' | 'shard'>): Promise<DryRun>
  /** Asks models, scores and saves. Returns when every cell is done or failed, or the run was stopped. */
  run(request: RunRequest): Promise<RunResult>
  /** Asks models the items of a run that an import made, in a run folder of their own. */
  runImported(from: string, request: AskImportedRequest): Promise<RunResult>
  /** Puts responses of a run to judges, in a run of their own: `touchstone judge`. */
  judge(run: string, request: JudgeRequest): Promise<JudgeResult>
  /** Goes on with a run folder; nothing on disk is asked again. With `cancel` its batches are ended and collected. */
  resume(run: string, request?: ResumeRequest): Promise<RunResult>
  /** Where a run stands, and who works on it; `store:RUN` asks the store. */
  status(run: string): Promise<RunStatus>
  /** Checks the ledger of a run, and makes a damaged one anew from what can be read of it. */
  repair(run: string): Promise<RepairResult>
  /** Puts the open cells of a run into a PostgreSQL store, for workers on many machines. */
  push(run: string, request?: StoreRequest): Promise<TransferResult>
  /** Brings what workers did back into the run folder. */
  pull(run: string, request?: StoreRequest): Promise<TransferResult>
  /** Works on the runs of a store beside any number of other workers, until nothing waits. */
  work(request?: WorkRequest): Promise<Worked>
  /** Where the runs of a store stand. */
  storeStatus(request?: Pick<WorkRequest, 'store' | 'run'>): Promise<StoreStatus>
  /** Brings a copy of `store:RUN` up to date: a run folder for everything that reads one. */
  mirror(run: string): Promise<Mirrored>
  /** Verifies a finished run (a folder, or `store:RUN`) and seals it in one file that anybody can verify offline. */
  seal(run: string, request?: SealRequest): Promise<Sealed>
  /** Reads and grades every response of a run again, offline. */
  score(run: string, request?: ScoreRequest): Promise<ScoreResult>
  /** What models said: prompt, answer, how it was read, and the truth. */
  responses(run: string, request?: ResponsesRequest): Promise<Responses>
  /** Two runs, two models or two styles on the items that both were asked: B - A with its interval. */
  compare(runs: readonly [string] | readonly [string, string], request?: CompareRequest): Promise<RunComparison>
  /** The same by a measure of scored strings, such as their nats: B - A in its unit, for each task and kind of string. */
  compareMeasure(
    runs: readonly [string] | readonly [string, string],
    request: CompareMeasureRequest,
  ): Promise<RunMeasureComparison>
  /** Whether a model is better on published items than fresh ones of the same distribution explain. */
  contamination(published: string, fresh: string, request: ContaminationRequest): Promise<FoundContamination>
  /** Chooses style and parser for each model of a finished validation run, and writes selection.json beside it. */
  select(run: string, request?: SelectRequest): Promise<{ readonly out: string; readonly selection: Selection }>
  /** Takes in a published release (`what`: a family or importer) or responses made elsewhere (`responses`, or a tool). */
  import(what: string, from: string | readonly string[], request: ImportRequest): Promise<Imported>
  /** Writes a run, a dataset or a task in the form of another tool, or the files that the task offers. */
  export(from: string, request: ExportRequest): Promise<Exported>
  /** Prompts of a run or dataset, or rows of a run, page by page. */
  exportLines(from: string, request: LinesRequest): AsyncIterable<readonly object[]>
  /** Binds a sealed exam: the commitment to publish, the secret to keep. */
  commit(request: ExamRequest): Promise<Bound<Commitment>>
  /** Binds the secret of an exam and the round that its seed will come from, before the round is known. */
  announce(request: ExamRequest): Promise<Bound<Announcement>>
  /** Opens a sealed exam, or checks what somebody opened of it. */
  reveal(commitment: string, request?: RevealRequest): Promise<Revealed>
  /** The proof of one item of a sealed exam, which says nothing of the others. */
  prove(commitment: string, index: number, request?: Pick<RevealRequest, 'secret'>): Promise<ItemProof>
  /** How far raters agree on the labels of a CSV file, with what the judges of a run say of the same units beside them. */
  agreement(labels: string, judge?: string, run?: string): Promise<Agreement>
  /** Joins the shards of one dataset or of one run into what one process would have made. */
  merge(folders: readonly string[], out: string): Promise<Manifest | MergeResult>
  /** Tables and figures of a run, as data and as files. */
  report(run: string, request?: ReportRequest): Promise<ReportResult>
  /** A table or figure of one of the four papers: its experiment run, or gone on with, and the analyses that show it. */
  reproduce(entry: string, request?: ReproduceRequest): Promise<Reproduction>
  /** Reads and grades answers that come as lines of JSON, in their order. */
  grade(lines: AsyncIterable<readonly Line[]>, request?: GradeRequest): AsyncIterable<readonly Graded[]>
  /** Answers requests for items and scores until it is closed. */
  serve(request?: ServeRequest): Promise<Listening>
}

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
export async function openLab(options: LabOptions = {}): Promise<Lab> {
  const { plugins = [], folder, tasks, providers = [], env = process.env } = requested('openLab', options)
  const here = await install(plugins, env, providers, folder === undefined ? undefined : recordedIn(folder), tasks)
  /** What a folder needs besides: the plugins it was made with, and its tasks. What a run of a store needs, the store says. */
  const at = async (path: string): Promise<Installed> =>
    inStore(textGiven(path)) ? here : here.madeWith(recordedIn(path))
  const whole = async (folder: string): Promise<Installed> => install(plugins, env, providers, recordedIn(folder))
  return {
    families: here.families,
    task: (name) => here.task(textGiven(name, 'the name of a task')),
    init: async (name, out) => {
      if (here.tasks.some((task) => task.name === name))
        throw new UsageError(`touchstone has the task ${name} already: give another name`)
      return frozen(await startTask(textGiven(name, 'the name of a task'), out))
    },
    generate: async (request) => frozen(await generateDataset(here, requested('generate', request))),
    verify: async (path, request = {}) => frozen(await verifyPath(await at(path), path, requested('verify', request))),
    itemsOf: async (folder) => frozen(await itemsOfDataset(folder, (await at(folder)).task)),
    audit: async (folder, request = {}) =>
      frozen(await auditFolder(await at(folder), folder, requested('audit', request))),
    auditGrid: async (request) => frozen(await auditGrid(here, requested('auditGrid', request))),
    overlap: async (folder, request = {}) =>
      frozen(await overlapOf(await at(folder), folder, requested('overlap', request))),
    check: async (what, request = {}) => frozen(await checkLaws(await at(what), what, requested('check', request))),
    plan: async (request) => frozen(await planRun(here, requested('plan', request))),
    run: async (request) => frozen(await newRun(here, requested('run', request))),
    runImported: async (from, request) =>
      frozen(await askImported(await at(from), from, requested('runImported', request))),
    judge: async (run, request) => frozen(await judgeRun(await at(run), run, requested('judge', request))),
    resume: async (run, request = {}) => frozen(await resumeRun(await at(run), run, requested('resume', request))),
    status: async (run) => frozen(await statusOf(await at(run), run)),
    repair: async (run) => {
      const { repairRun } = await import('../runner/index.ts')
      return frozen(await repairRun(run, await (await at(run)).runContext()))
    },
    push: async (run, request = {}) => frozen(await pushFolder(await at(run), run, requested('push', request))),
    pull: async (run, request = {}) => frozen(await pullFolder(await at(run), run, requested('pull', request))),
    work: async (request = {}) => frozen(await workOn(here, requested('work', request))),
    storeStatus: async (request = {}) => frozen(await statusOfStore(here, requested('storeStatus', request))),
    mirror: async (run) => frozen(await mirrored(here, textGiven(run))),
    seal: async (run, request = {}) => frozen(await sealFile(await at(run), run, requested('seal', request))),
    score: async (run, request = {}) => frozen(await scoreRun(await at(run), run, requested('score', request))),
    grade: async function* (lines, request = {}) {
      const { gradeLines } = await import('../extras/protocols/grade.ts')
      yield* gradeLines(here.tasks, lines, requested('grade', request))
    },
    serve: async (request = {}) => {
      const { serveItems } = await import('./serve.ts')
      return serveItems(here, requested('serve', request))
    },
    responses: async (run, request = {}) =>
      frozen(await responsesOf(await at(run), run, requested('responses', request))),
    compare: async (runs, request = {}) =>
      frozen(await compareRuns(await at(runsGiven(runs)[0]), runs, requested('compare', request))),
    compareMeasure: async (runs, request) =>
      frozen(await compareMeasured(await at(runsGiven(runs)[0]), runs, requested('compareMeasure', request))),
    contamination: async (published, fresh, request) =>
      frozen(await contaminationIn(await at(published), published, fresh, requested('contamination', request))),
    select: async (run, request = {}) => frozen(await selectStyles(await at(run), run, requested('select', request))),
    import: async (what, from, request) => {
      const { items, out } = requested('import', request)
      return frozen(await importFrom(await at(items ?? out), what, from, request))
    },
    export: async (from, request) => frozen(await exportTo(await at(from), from, requested('export', request))),
    exportLines: async function* (from, request) {
      yield* exportLines(await at(from), from, requested('exportLines', request))
    },
    commit: async (request) => frozen(await commitExam(here, requested('commit', request))),
    announce: async (request) => frozen(await announceExam(here, requested('announce', request))),
    reveal: async (commitment, request = {}) =>
      frozen(
        await revealExam(await at(commitmentPath(textGiven(commitment))), commitment, requested('reveal', request)),
      ),
    prove: async (commitment, index, request = {}) =>
      frozen(
        await proveExamItem(
          await at(commitmentPath(textGiven(commitment))),
          commitment,
          index,
          requested('prove', request),
        ),
      ),
    agreement: async (labels, judge, run) =>
      frozen(
        await agreementOf(textGiven(labels), judge, run === undefined ? [] : await judgedLabels(await at(run), run)),
      ),
    merge: async (folders, out) =>
      frozen(await mergeShards(await at(foldersGiven(folders)[0]), folders, textGiven(out))),
    report: async (run, request = {}) => {
      // What papers print may stand beside tasks of others.
      const { reference = false } = requested('report', request)
      return frozen(await reportRun(await (reference === false ? at(run) : whole(run)), run, request))
    },
    reproduce: async (entry, request = {}) =>
      frozen(await reproduce(here, textGiven(entry, 'the name of a table or figure'), requested('reproduce', request))),
  }
}
