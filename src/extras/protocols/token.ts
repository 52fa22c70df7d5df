import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { type JsonObject, type Task, UsageError } from '../../core/index.ts'

/** Longest token, in characters; a config may be long. */
export const MAX_TOKEN = 16 * 1024

const NONCE = 12
const TAG = 16
const CIPHER = 'aes-256-gcm'
const DOMAIN = Buffer.from('touchstone/token/1')

const plain = z.tuple([
  z.string(),
  z.int().min(0),
  z.union([z.string(), z.record(z.string(), z.json())]),
  z.string(),
  z.string(),
  z.string(),
  z.int().min(0),
  z.string(),
])

/**
 * The token of an item: its reference, encrypted and authenticated (AES-256-GCM), as base64url. The nonce is a keyed hash of the
 * content, so that the same item has the same token and no two contents share a nonce.
 */
export function sealToken(keys: Keys, ref: ItemRef): string {
  const { task, version, content, configHash, split, seed, index, style } = ref
  const body = content.kind === 'preset' ? content.preset : content.config
  const text = Buffer.from(JSON.stringify([task, version, body, configHash, split, seed, index, style]))
  const nonce = createHmac('sha256', keys.nonce).update(text).digest().subarray(0, NONCE)
  const cipher = createCipheriv(CIPHER, keys.encryption, nonce).setAAD(DOMAIN)
  const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
  return sealed.toString('base64url')
}

/** The content of a token; null for any text that is no token of these keys. */
export function openToken(keys: Keys, token: string): ItemRef | null {
  if (token.length > MAX_TOKEN) return null
  const bytes = Buffer.from(token, 'base64url')
  // One item has one text: other base64 spellings of the same bytes are rejected.
  if (bytes.length < NONCE + TAG + 2 || bytes.toString('base64url') !== token) return null
  try {
    const decipher = createDecipheriv(CIPHER, keys.encryption, bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAAD(DOMAIN).setAuthTag(bytes.subarray(-TAG))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8')
    return refOf(JSON.parse(text))
  } catch {
    return null
  }
}

function refOf(value: unknown): ItemRef | null {
  const parsed = plain.safeParse(value)
  if (!parsed.success) return null
  const [task, version, body, configHash, split, seed, index, style] = parsed.data
  const content =
    typeof body === 'string' ? ({ kind: 'preset', preset: body } as const) : ({ kind: 'config', config: body } as const)
  return { task, version, content, configHash, split, seed, index, style }
}

/** True if a config, not validated yet, fits into a token. */
export const fitsToken = (config: JsonObject): boolean => Buffer.byteLength(JSON.stringify(config)) <= MAX_TOKEN / 2

/** A preset by name, or a config sent by the client. */
export type Content =
  | { readonly kind: 'preset'; readonly preset: string }
  | { readonly kind: 'config'; readonly config: JsonObject }

/** @throws UsageError for an unknown preset or an invalid config. */
export const configOf = (task: Task, content: Content): JsonObject =>
  content.kind === 'preset' ? task.preset(content.preset).config : task.configure(content.config)

/** What a token stands for: enough to regenerate the item, without its answer. */
export interface ItemRef {
  readonly task: string
  /** Version of the task: tokens of other versions are rejected. */
  readonly version: number
  readonly content: Content
  /** First 12 hex digits of the config's hash: presets may change without notice. */
  readonly configHash: string
  readonly split: string
  /** As sent by the client. */
  readonly seed: string
  readonly index: number
  readonly style: string
}

/** Keys derived from the server's secret, once for all tokens. */
export interface Keys {
  readonly encryption: KeyObject
  readonly nonce: KeyObject
  readonly seeds: KeyObject
}

const MIN_BYTES = 16

/** Keys from a secret of at least 16 bytes, e.g. from `openssl rand -hex 16`. @throws UsageError */
export function keysOf(secret: string): Keys {
  const bytes = Buffer.byteLength(secret)
  if (bytes < MIN_BYTES)
    throw new UsageError(
      `the secret of a server needs at least ${MIN_BYTES} bytes, got ${bytes}. Try: openssl rand -hex 16`,
    )
  const key = (use: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'touchstone/serve/1', `touchstone/serve/${use}`, 32)))
  return { encryption: key('encryption'), nonce: key('nonce'), seeds: key('seeds') }
}

/** The seed that items are drawn from: the client's seed hashed with the secret, so that no client can regenerate items. */
export const servedSeed = (keys: Keys, seed: string): string =>
  createHmac('sha256', keys.seeds).update(seed).digest('hex').slice(0, 32)
