export { isMetric, logImporters, NO_FILES } from './import.ts'
export { LOG_TOOLS, type LogTool, logTool, readLog } from './read.ts'
export type { LogRecord } from './record.ts'
