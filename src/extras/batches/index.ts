export { batchExtension } from './extension.ts'
export { lineId, lineNumber } from './lines.ts'
