export { sequentialExtension } from './extension.ts'
export { loadSequentialTest } from './open.ts'
export { parseUntil } from './rule.ts'
export { SequentialTest } from './sequential-test.ts'
