export { hasQuestions, questionFilesAt } from './files.ts'
export type { Given } from './graders.ts'
export {
  type Judgement,
  type Judgements,
  judgeFamily,
  judgeItem,
  judgementKey,
  judgementsFile,
  readJudgements,
} from './judge.ts'
export { questionTask } from './task.ts'
