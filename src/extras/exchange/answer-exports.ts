import { writeEveryEvalEver } from './every-eval-ever.ts'
import { writeHfResults } from './hf-results.ts'
import { writeInspectLogs } from './inspect-log.ts'
import type { About, ExportAnswer, Sink } from './line.ts'

/** Writes what models answered for another tool. */
export interface AnswerExport {
  readonly describe: string
  write(pages: AsyncIterable<readonly ExportAnswer[]>, sink: Sink, about: About): Promise<void>
}

/** Every form in which answers of a run leave, by name. */
export const answerExports: { readonly [name: string]: AnswerExport } = {
  'inspect-log': { describe: 'logs of Inspect, for its viewer and its tools', write: writeInspectLogs },
  'every-eval-ever': { describe: 'aggregates and instances of Every Eval Ever 0.3.0', write: writeEveryEvalEver },
  'hf-results': { describe: '.eval_results of Hugging Face, one a model', write: writeHfResults },
}
