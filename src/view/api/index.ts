export * from './documents.ts'
export * from './filter.ts'
