/**
 * The contract tests of tasks, for your own tasks. Nothing here needs Node or a test runner.
 *
 * @module
 */
export { type ContractResult, checkTask, contractTests } from '../testing/check.ts'
export type { ContractTest } from '../testing/contract-test.ts'
export type { Subject } from '../testing/subject.ts'
