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
 * `names`, and `values` given outright; as they are, in base64 or hex wherever they stand in what was encoded, and behind
 * escapes (URL, JSON, HTML), also of escapes. Linear in the text.
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
    if (value.length < SHORTEST) return
    for (const form of [value, encodeURIComponent(value.toWellFormed()), ...encodedForms(value)])
      if (form.length >= SHORTEST && !labels.has(form)) labels.set(form, label)
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

/**
 * A value in hex, and in base64 after 0, 1 or 2 other bytes (`Bearer `, `user:`): the characters that do not depend on what
 * stands around it.
 */
function encodedForms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8')
  const hex = bytes.toString('hex')
  const base64 = [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes])
    const whole = Math.floor((all.length * 8) / 6)
    const from = Math.ceil((before * 8) / 6)
    return [all.toString('base64').slice(from, whole), all.toString('base64url').slice(from, whole)]
  })
  return [hex, hex.toUpperCase(), ...base64]
}

function replacer(labels: ReadonlyMap<string, string>): Redact {
  if (labels.size === 0) return noRedaction
  // Longest first, so that a secret that contains another is replaced whole.
  const sorted = [...labels.keys()].sort((a, b) => b.length - a.length)
  const any = new RegExp(sorted.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&')).join('|'), 'gu')
  return (text) => {
    const found = find(text, any, MAX_LAYERS).sort(([a], [b]) => a - b)
    let out = ''
    let end = 0
    for (const [start, stop, secret] of found) {
      if (start >= end) out += text.slice(end, start) + (labels.get(secret) ?? '[redacted]')
      end = Math.max(end, stop)
    }
    return out + text.slice(end)
  }
}

type Found = readonly [start: number, end: number, secret: string]

/** Escapes of escapes that are undone, e.g. JSON in JSON in a URL. */
const MAX_LAYERS = 4
const ESCAPE = /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{2,4});|&#(\d{2,5});|\\(["\\/nrt])/giu
/** What stands inside base64 that is wrapped and hex that is spaced. */
const BETWEEN = /[\s:]+/gu

/** Where a text has a secret: as it stands, without what stands between, and behind its escapes. */
function find(text: string, any: RegExp, layers: number): Found[] {
  const direct = [...text.matchAll(any)].map(({ index, 0: secret }): Found => [index, index + secret.length, secret])
  if (layers === 0) return direct
  const joined = inView(
    text,
    BETWEEN,
    () => '',
    (view) => find(view, any, 0),
  )
  return [...direct, ...joined, ...inView(text, ESCAPE, unescaped, (view) => find(view, any, layers - 1))]
}

function unescaped(_: string, ...[url, json, c, html, decimal, letter]: readonly (string | undefined)[]): string {
  if (letter !== undefined) return ESCAPED_LETTERS[letter] ?? letter
  const code = url ?? json ?? c ?? html
  return String.fromCharCode(code === undefined ? Number(decimal) : Number.parseInt(code, 16))
}
const ESCAPED_LETTERS: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t' }

/** What `search` finds in a text whose matches of a pattern are replaced, at its places in the text itself. */
function inView(
  text: string,
  pattern: RegExp,
  replacement: (match: string, ...groups: readonly (string | undefined)[]) => string,
  search: (view: string) => readonly Found[],
): Found[] {
  const view = text.replace(pattern, replacement)
  if (view === text) return []
  const found = search(view)
  if (found.length === 0) return []
  /** Offsets in the view, and the offsets in the text that they come from: those before and after each match. */
  const offsets: number[] = []
  const origins: number[] = []
  let shift = 0
  for (const match of text.matchAll(pattern)) {
    offsets.push(match.index + shift)
    origins.push(match.index)
    shift += replacement(match[0], ...match.slice(1)).length - match[0].length
    offsets.push(match.index + match[0].length + shift)
    origins.push(match.index + match[0].length)
  }
  const originOf = (offset: number, isEnd: boolean): number => {
    let [low, high] = [0, offsets.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const at = offsets[middle] ?? 0
      if (isEnd ? at < offset : at <= offset) low = middle + 1
      else high = middle
    }
    if (isEnd && offsets[low] === offset) return origins[low] ?? 0
    return low === 0 ? offset : (origins[low - 1] ?? 0) + offset - (offsets[low - 1] ?? 0)
  }
  return found.map(([from, to, secret]) => [originOf(from, false), originOf(to, true), secret])
}
