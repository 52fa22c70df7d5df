export { PostgresStore } from './store.ts'
