export { hasQuestions, questionFilesAt } from './files.ts'
export type { Given } from './graders.ts'
export { JUDGEMENTS, type Judgements, judgeFamily, judgeItem, judgementsText, readJudgements } from './judge.ts'
export { questionTask } from './task.ts'
