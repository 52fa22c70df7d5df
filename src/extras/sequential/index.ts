export { loadSequentialTest, sequentialExtension } from './extension.ts'
export { parseUntil, SequentialTest } from './sequential-test.ts'
