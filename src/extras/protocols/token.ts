import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { z } from 'zod'
import type { JsonObject } from '../../core/index.ts'
import type { ItemRef } from './item-ref.ts'
import type { Keys } from './keys.ts'

/** Longest token that is looked at; a config may be long. */
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

/** What a token stands for; null for a text that is no token of these keys, whatever it is. */
export function openToken(keys: Keys, token: string): ItemRef | null {
  if (token.length > MAX_TOKEN) return null
  const bytes = Buffer.from(token, 'base64url')
  // One item, one text: what decodes to the same bytes but is written otherwise is not ours.
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
  const read = plain.safeParse(value)
  if (!read.success) return null
  const [task, version, body, configHash, split, seed, index, style] = read.data
  const content =
    typeof body === 'string' ? ({ kind: 'preset', preset: body } as const) : ({ kind: 'config', config: body } as const)
  return { task, version, content, configHash, split, seed, index, style }
}

/** Does a config fit into a token? It is measured as a token writes it, before anybody has checked it: its numbers may be any. */
export const fitsToken = (config: JsonObject): boolean => Buffer.byteLength(JSON.stringify(config)) <= MAX_TOKEN / 2
