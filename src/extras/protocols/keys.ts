import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { UsageError } from '../../core/index.ts'

/** Keys that one secret stands for, ready for use: bytes would be made a key anew for every token. */
export interface Keys {
  readonly encryption: KeyObject
  readonly nonce: KeyObject
  readonly seeds: KeyObject
}

const MIN_BYTES = 16

/**
 * Keys from a secret of at least 16 bytes (32 hex digits of `openssl rand -hex 16` and the like).
 *
 * @throws UsageError for a shorter one.
 */
export function keysOf(secret: string): Keys {
  const bytes = Buffer.byteLength(secret)
  if (bytes < MIN_BYTES)
    throw new UsageError(`the secret of a server has at least ${MIN_BYTES} bytes, this one has ${bytes}`)
  const key = (use: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'touchstone/serve/1', `touchstone/serve/${use}`, 32)))
  return { encryption: key('encryption'), nonce: key('nonce'), seeds: key('seeds') }
}

/** The seed that items are made from: whoever knows only what the client said cannot make them. */
export const servedSeed = (keys: Keys, seed: string): string =>
  createHmac('sha256', keys.seeds).update(seed).digest('hex').slice(0, 32)
