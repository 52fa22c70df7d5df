import * as flags from './command-flags.ts'
import type { FlagSchema } from './flags.ts'
import type { Context } from './output.ts'

/** A command of the command line. What it does is loaded when it runs; help needs only this. */
export interface Command {
  readonly summary: string
  /** Arguments and required flags, as help shows them. */
  readonly usage: string
  /** Fewest and most arguments. */
  readonly args: readonly [min: number, max: number]
  readonly flags: () => FlagSchema
  /** Flags of `--help`. Default: all but `--json` and `--plugin`. */
  readonly common?: readonly string[]
  /** Flags of `--help-all` under headings, in this order. */
  readonly sections?: { readonly [heading: string]: readonly string[] }
  /** What `--help` says of `--help-all`. */
  readonly more?: string
  /** Longer text of help. */
  readonly details?: string
  /** Keeps the heap small: these commands read many rows or responses. */
  readonly smallHeap?: true
  /** What the command does; its flags are those of the schema, its arguments as many as `args` says. */
  readonly load: () => Promise<{
    readonly default: (context: Context, flags: never, ...args: never[]) => Promise<void>
  }>
}

export const commands: { readonly [name: string]: Command } = {
  list: {
    summary: 'Families, tasks, presets, parameters, prices',
    usage: '[FAMILY|TASK|prices]',
    args: [0, 1],
    flags: flags.listFlags,
    load: () => import('./commands/list.ts'),
  },
  show: {
    summary: 'An item of a task; the state or the responses of a run',
    usage: 'TASK|RUN',
    args: [1, 1],
    flags: flags.showFlags,
    sections: {
      'Item of a task': ['preset', 'config', 'set', 'split', 'seed', 'index', 'style', 'template'],
      'Responses of a run': ['item', 'where', 'model', 'wrong', 'disagree', 'parser', 'limit'],
    },
    details: 'Without options, show RUN prints its state, counts and accuracy. RUN is a folder, or store:RUN.',
    load: () => import('./commands/show.ts'),
  },
  generate: {
    summary: 'Write a dataset with proofs and a hash',
    usage: 'TASK|QUESTIONS --out DIR',
    args: [1, 1],
    flags: flags.generateFlags,
    load: () => import('./commands/generate.ts'),
  },
  verify: {
    summary: 'Regenerate a dataset or run and check that it is equal',
    usage: 'DATASET|RUN|SEAL',
    args: [1, 1],
    flags: flags.verifyFlags,
    details: 'Also lists what cannot be verified. RUN is a folder, or store:RUN; SEAL is the file of exam seal.',
    load: () => import('./commands/verify.ts'),
  },
  audit: {
    summary: 'Search a dataset for shortcuts',
    usage: 'DATASET|FILE...',
    args: [1, 20],
    details:
      'FILE is a .csv, .tsv, .json, .jsonl or .parquet file of questions and answers of any origin; several files are audited as one dataset.',
    flags: flags.auditFlags,
    load: () => import('./commands/audit.ts'),
  },
  run: {
    summary: 'Run models on a task, dataset, experiment or your questions',
    usage: 'TASK|DATASET|EXPERIMENT.yaml|QUESTIONS --model MODEL',
    args: [1, 1],
    details:
      'QUESTIONS is a .csv, .tsv, .json, .jsonl or .parquet file, or a folder of those. touchstone list FILE shows how it is ' +
      'read; --set changes that, e.g. --set grader=number or --set answer=COLUMN, also for touchstone show FILE (docs/running.md).',
    flags: flags.runFlags,
    common: [
      'preset',
      'set',
      'count',
      'seed',
      'style',
      'model',
      'samples',
      'temperature',
      'max-tokens',
      'max-usd',
      'out',
      'dry-run',
    ],
    sections: {
      Items: ['template', 'config', 'split', 'per-stratum', 'shard', 'selection'],
      Endpoint: ['base-url', 'api-key-env', 'set-model', 'price'],
      Limits: ['concurrency', 'timeout', 'retries'],
      Stopping: ['until', 'alpha', 'check-every', 'adapt', 'max-items'],
      'Batches, cache': ['batch', 'poll', 'wait', 'cache', 'offline'],
      Other: ['plan-only', 'canary', 'fsync', 'plugin', 'json'],
    },
    more: 'More: split, endpoint, limits, stopping rules, batches',
    smallHeap: true,
    load: () => import('./commands/run.ts'),
  },
  resume: {
    summary: 'Continue a run; retry errors, cancel batches, repair',
    usage: 'RUN',
    args: [1, 1],
    flags: flags.resumeFlags,
    smallHeap: true,
    load: () => import('./commands/resume.ts'),
  },
  report: {
    summary: 'Write tables and figures (HTML, Markdown, JSON, CSV, SVG, PNG)',
    usage: 'RUN',
    args: [1, 1],
    flags: flags.reportFlags,
    smallHeap: true,
    load: () => import('./commands/report.ts'),
  },
  compare: {
    summary: 'Compare two models or runs on the same items',
    usage: 'RUN|LOG [RUN|LOG]',
    args: [1, 2],
    flags: flags.compareFlags,
    details:
      'Give two runs, or one run with two models (--model A --model B) or two styles. For continuous integration: with ' +
      '--margin 0.02 the exit code is 0 only if B is at most two points worse than A. LOG is a log of Inspect, lm-eval, ' +
      'promptfoo or Every Eval Ever.',
    load: () => import('./commands/compare.ts'),
  },
  view: {
    summary: 'Explore runs and datasets in the browser',
    usage: '[PATH...]',
    args: [0, Number.POSITIVE_INFINITY],
    flags: flags.viewFlags,
    load: () => import('./commands/view.ts'),
  },
  reproduce: {
    summary: 'Make a table or figure of one of the papers',
    usage: '[ITEM]',
    args: [0, 1],
    flags: flags.reproduceFlags,
    details:
      'Without ITEM, lists the tables and figures. touchstone reproduce relic/figure3 runs the experiment behind that figure. ' +
      'Tables and figures of one experiment share its run.',
    smallHeap: true,
    load: () => import('./commands/reproduce.ts'),
  },
  import: {
    summary: 'Read published releases and files of other tools',
    usage: 'FAMILY|TOOL|responses FILE... --out RUN',
    args: [2, Number.POSITIVE_INFINITY],
    flags: flags.importFlags,
    details:
      'FAMILY DIR makes a run of a published release; touchstone run RUN --model M --out DIR then runs a model on its items. ' +
      'responses FILE reads JSON lines {item, style, model, sample, text}. TOOL FILE... reads files of another tool. With ' +
      '--items, their responses are parsed and scored; without it, logs of inspect, lm-eval, promptfoo and every-eval-ever, ' +
      'of any task, keep their own items and scores (docs/exchange.md).',
    load: () => import('./commands/import.ts'),
  },
  export: {
    summary: 'Write prompts, rows or files for other tools',
    usage: 'RUN|DATASET|TASK',
    args: [1, 1],
    flags: flags.exportFlags,
    load: () => import('./commands/export.ts'),
  },
  serve: {
    summary: 'Serve items and rewards over HTTP for RL training',
    usage: '',
    args: [0, 0],
    flags: flags.serveFlags,
    details: 'GET /openapi.json describes the API. Tokens stay valid after a restart with the same secret.',
    load: () => import('./commands/serve.ts'),
  },
  'task init': {
    summary: 'Write a working task with its test',
    usage: 'NAME',
    args: [1, 1],
    flags: flags.taskInitFlags,
    details: 'NAME is family/task, or a name in the family "my".',
    load: () => import('./commands/task-init.ts'),
  },
  'task check': {
    summary: 'Run the contract tests on a task; prints each failure with its item',
    usage: 'TASK|DATASET',
    args: [1, 1],
    flags: flags.taskCheckFlags,
    details: 'Exit 1 on failure.',
    load: () => import('./commands/task-check.ts'),
  },
  'exam commit': {
    summary: 'Write a commitment to publish and a secret to keep',
    usage: 'TASK --count N --out DIR',
    args: [1, 1],
    flags: flags.examFlags,
    load: async () => ({ default: (await import('./commands/exam.ts')).commitExam }),
  },
  'exam announce': {
    summary: 'Bind the secret to a future beacon round (--beacon drand:ROUND)',
    usage: 'TASK --count N --beacon drand:ROUND --out DIR',
    args: [1, 1],
    flags: flags.examFlags,
    load: async () => ({ default: (await import('./commands/exam.ts')).announceExam }),
  },
  'exam reveal': {
    summary: 'Regenerate the exam and compare it with its commitment',
    usage: 'COMMITMENT',
    args: [1, 1],
    flags: flags.examRevealFlags,
    load: async () => ({ default: (await import('./commands/exam.ts')).revealExam }),
  },
  'exam prove': {
    summary: 'Print the proof of one item without revealing the others',
    usage: 'COMMITMENT --index N',
    args: [1, 1],
    flags: flags.examProveFlags,
    load: async () => ({ default: (await import('./commands/exam.ts')).proveExamItem }),
  },
  'exam seal': {
    summary: 'Verify a finished run and write a seal that anyone can verify offline',
    usage: 'RUN',
    args: [1, 1],
    flags: flags.examSealFlags,
    details: 'Publish the id where it is dated: in a git tag, a timestamp service or a paper.',
    load: async () => ({ default: (await import('./commands/exam.ts')).sealRun }),
  },
  'cluster push': {
    summary: "Move a run's open calls to a PostgreSQL store",
    usage: 'RUN',
    args: [1, 1],
    flags: flags.clusterFlags,
    load: async () => ({ default: (await import('./commands/cluster.ts')).push }),
  },
  'cluster worker': {
    summary: 'Process the runs of the store, alongside any number of other workers',
    usage: '',
    args: [0, 0],
    flags: flags.clusterWorkerFlags,
    details: 'Ends when no call is pending. If a worker dies, other workers repeat its calls after a minute.',
    smallHeap: true,
    load: () => import('./commands/cluster-worker.ts'),
  },
  'cluster status': {
    summary: 'State of the runs of the store',
    usage: '',
    args: [0, 0],
    flags: flags.clusterStatusFlags,
    load: () => import('./commands/cluster-status.ts'),
  },
  'cluster pull': {
    summary: 'Bring the results of workers back into the run folder',
    usage: 'RUN',
    args: [1, 1],
    flags: flags.clusterFlags,
    load: async () => ({ default: (await import('./commands/cluster.ts')).pull }),
  },
  'cluster merge': {
    summary: 'Join the shards of a dataset or run',
    usage: 'SHARD... --out DIR',
    args: [1, Number.POSITIVE_INFINITY],
    flags: flags.clusterMergeFlags,
    load: async () => ({ default: (await import('./commands/cluster.ts')).merge }),
  },
  'analyze score': {
    summary: 'Rescore a run, or score JSON lines from a file or stdin',
    usage: 'RUN|FILE|-',
    args: [0, 1],
    flags: flags.scoreFlags,
    details:
      'Each input line is {task, preset | config, split, seed, index, text} or {token, text}. Each output line has status, ' +
      'reward, scores by parser and prediction. If a line cannot be scored, its reward is null and the exit code 1.',
    load: () => import('./commands/score.ts'),
  },
  'analyze judge': {
    summary: 'Ask a judge model to label responses of a run',
    usage: 'RUN --model MODEL --out DIR',
    args: [1, 1],
    flags: flags.judgeFlags,
    details:
      'Samples responses of each model, length and class. The labels form a separate run. baseline:checker (default) labels ' +
      'what the trace checker can prove.',
    smallHeap: true,
    load: () => import('./commands/judge.ts'),
  },
  'analyze agreement': {
    summary: 'Agreement of raters (Krippendorff, Fleiss, Cohen)',
    usage: 'LABELS.csv',
    args: [1, 1],
    flags: flags.agreementFlags,
    details: 'The file has the columns unit, rater, label.',
    load: () => import('./commands/agreement.ts'),
  },
  'analyze select': {
    summary: 'Choose prompt style and parser per model on a validation run',
    usage: 'RUN',
    args: [1, 1],
    flags: flags.selectFlags,
    details:
      'Example: touchstone run TASK --split validation --style A --style B --model M --out V; touchstone analyze select V; ' +
      'touchstone run TASK --model M --selection V/selection.json --out T',
    load: () => import('./commands/select.ts'),
  },
  'analyze contamination': {
    summary: 'Difference in differences: published vs fresh items, a model vs older models',
    usage: 'PUBLISHED FRESH --model M --reference OLD',
    args: [2, 2],
    flags: flags.contaminationFlags,
    details: 'PUBLISHED and FRESH are runs that hold responses of all these models.',
    load: () => import('./commands/contamination.ts'),
  },
}

/** Groups of commands: the first word of their names. */
export const groups: { readonly [name: string]: string } = {
  task: 'Write a task and test it',
  exam: 'Exams with commitments and seals',
  cluster: 'Runs on many machines',
  analyze: 'Analyses of responses and labels',
}
