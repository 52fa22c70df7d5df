import { Buffer } from 'node:buffer'

/** Replaces secrets in a text that is about to reach the disk. */
export type Redact = (text: string) => string

/** Variables whose names look like this hold secrets, whether or not the experiment names them. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH|COOKIE|DSN|DATABASE_URL|_PAT)(?:$|_)/iu

/** Shorter values are ordinary words: to replace them would spoil texts and hide nothing. */
const SHORTEST = 8

/** Secrets recognised by shape: exam seeds, user:password in URLs, keys in query strings, bearer headers. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/secret:[0-9a-f]{64}/gu, '[redacted:seed]'],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#@"']{1,500}@/giu, '$1[redacted:userinfo]@'],
  [
    /([?&][\w.-]{0,40}?(?:key|token|secret|password|credential|sig|signature)=)[^&\s"'#]{1,2000}/giu,
    '$1[redacted:query]',
  ],
  [
    /(\b(?:authorization|x-api-key|api-key|x-goog-api-key)["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer\s{1,4}|basic\s{1,4})?)[\w.~+/=-]{8,2000}/giu,
    '$1[redacted:header]',
  ],
]

/**
 * A redactor for the secrets of an environment: every value whose variable name looks like a secret's or is listed in
 * `names`, and `values` given outright; as they are, URL-encoded, and in base64 (with or without a user name before
 * it). Linear in the text.
 *
 * @param known - secrets only in a text that the model wrote are replaced by value; `shapes` also replaces by pattern,
 *   for messages, URLs and provider bodies.
 */
export function redactor(
  env: { readonly [name: string]: string | undefined },
  names: readonly string[] = [],
  values: readonly string[] = [],
): { readonly known: Redact; readonly shapes: Redact } {
  const labels = new Map<string, string>()
  const add = (value: string, label: string): void => {
    for (const form of forms(value)) if (form.length >= SHORTEST && !labels.has(form)) labels.set(form, label)
  }
  const listed = new Set(names)
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (listed.has(name) || SECRET_NAME.test(name))) add(value.trim(), `[redacted:${name}]`)
  }
  for (const value of values) add(value.trim(), '[redacted]')
  const known = replacer(labels)
  return {
    known,
    shapes: (text) => {
      let out = known(text)
      for (const [shape, label] of SHAPES) out = out.replace(shape, label)
      return out
    },
  }
}

/** Leaves everything as it is. */
export const noRedaction: Redact = (text) => text

function forms(value: string): string[] {
  if (value.length < SHORTEST) return []
  const base64 = Buffer.from(value, 'utf8').toString('base64')
  return [
    value,
    encodeURIComponent(value.toWellFormed()),
    JSON.stringify(value).slice(1, -1),
    base64.replace(/=+$/u, ''),
    Buffer.from(value, 'utf8').toString('base64url'),
    Buffer.from(`:${value}`, 'utf8').toString('base64').replace(/=+$/u, ''),
  ]
}

function replacer(labels: ReadonlyMap<string, string>): Redact {
  if (labels.size === 0) return noRedaction
  // Longest first, so that a secret that contains another is replaced whole.
  const sorted = [...labels.keys()].sort((a, b) => b.length - a.length)
  const any = new RegExp(sorted.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&')).join('|'), 'gu')
  return (text) => text.replace(any, (found) => labels.get(found) ?? '[redacted]')
}
