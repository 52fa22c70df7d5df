import { agreement } from './agreement.ts'
import { audit } from './audit.ts'
import { cancel } from './cancel.ts'
import { check } from './check.ts'
import { commit } from './commit.ts'
import { compare } from './compare.ts'
import { contamination } from './contamination.ts'
import { exportCommand } from './export.ts'
import { generate } from './generate.ts'
import { grade } from './grade.ts'
import { importCommand } from './import.ts'
import { init } from './init.ts'
import { judge } from './judge.ts'
import { list } from './list.ts'
import { merge } from './merge.ts'
import { overlap } from './overlap.ts'
import { prices } from './prices.ts'
import { pull, push } from './push.ts'
import { repair } from './repair.ts'
import { report } from './report.ts'
import { reproduce } from './reproduce.ts'
import { resume, retryFailedCells } from './resume.ts'
import { reveal } from './reveal.ts'
import { run } from './run.ts'
import { score } from './score.ts'
import { seal } from './seal.ts'
import { select } from './select.ts'
import { serve } from './serve.ts'
import { show } from './show.ts'
import { status } from './status.ts'
import { verify } from './verify.ts'
import { view } from './view.ts'
import { worker } from './worker.ts'

/** Every command, in the order help shows them. */
export const commands = {
  list,
  show,
  generate,
  verify,
  audit,
  check,
  init,
  overlap,
  merge,
  commit,
  reveal,
  run,
  resume,
  'retry-failed': retryFailedCells,
  cancel,
  push,
  worker,
  pull,
  status,
  repair,
  prices,
  score,
  seal,
  select,
  contamination,
  report,
  view,
  compare,
  judge,
  agreement,
  reproduce,
  grade,
  serve,
  import: importCommand,
  export: exportCommand,
}
