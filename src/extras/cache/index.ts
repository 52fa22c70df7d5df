export { cacheExtension } from './extension.ts'
