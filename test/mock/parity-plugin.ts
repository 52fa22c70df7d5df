/** The task of the mock as a plugin, for workers. */
export { parity as default } from './parity.ts'
