export { withoutRetry } from './connect-retry.ts'
export { schemaOf } from './schema.ts'
export { PostgresStore } from './store.ts'
