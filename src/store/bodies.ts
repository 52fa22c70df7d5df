import { Buffer } from 'node:buffer'
import { gunzipSync, gzipSync } from 'node:zlib'

/** The most characters of an unreadable body that are kept, and that are unpacked. */
const MAX_LENGTH = 4 * 1024 * 1024

/** An unreadable body as the ledger keeps it. */
export const packBody = (text: string): Uint8Array => gzipSync(Buffer.from(text.slice(0, MAX_LENGTH), 'utf8'))

/** @throws RangeError for what unpacks to more than was ever packed. */
export const unpackBody = (packed: Uint8Array): string =>
  gunzipSync(packed, { maxOutputLength: MAX_LENGTH * 4 }).toString('utf8')
