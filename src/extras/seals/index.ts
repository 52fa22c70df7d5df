export { parseSeal, SEAL_FILE, type Seal, sealOf } from './seal.ts'
export { type RunFault, type RunVerification, verifyRun } from './verify-run.ts'
export { type SealVerification, verifySeal } from './verify-seal.ts'
export { type StoredRun, sealStored, verifyStored } from './verify-stored.ts'
