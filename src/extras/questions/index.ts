export { hasQuestions, questionFilesAt } from './files.ts'
export { questionTask } from './task.ts'
