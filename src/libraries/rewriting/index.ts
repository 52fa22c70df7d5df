export * from './cascade.ts'
export * from './exact-relations.ts'
export * from './relations.ts'
