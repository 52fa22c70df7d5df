/**
 * The laws that every task keeps, for tests of your own tasks. Nothing here needs Node or a test runner.
 *
 * @module
 */
export { checkTask, type LawResult, laws } from '../testing/check.ts'
export type { Law } from '../testing/law.ts'
export type { Subject } from '../testing/subject.ts'
