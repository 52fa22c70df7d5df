export { hasQuestions, questionFilesAt } from './files.ts'
export type { Given } from './graders.ts'
export { judgeFamily, judgeItem, readJudgements, writeJudgements } from './judge.ts'
export { questionTask } from './task.ts'
