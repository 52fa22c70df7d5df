import { hash } from 'node:crypto'
import { type Json, sortedJson, UsageError } from '../core/index.ts'
import { needsOf } from '../models/index.ts'
import type { RunContext } from './folder/run.ts'
import type { RunFile } from './folder/run-file.ts'
import type { RunModel } from './plan/resolve.ts'

/*
 * A run says which programs are started, which files are read, and which variables of the environment are sent to which
 * server. Of a run that was made here its owner said so. A run that came from elsewhere, in a store or a folder, gets
 * nothing of it until the owner of this machine allows it: `openModels` asks here before it opens any model.
 */

/**
 * Something that a run asks of this machine. `exec`: to start a program; `file`: to read a file or folder; `host`: to send
 * its questions to a server; `env`: to send the value of a variable to a server, `NAME=ORIGIN`.
 */
export interface Want {
  readonly kind: 'exec' | 'file' | 'host' | 'env'
  readonly value: string
}

/** What the owner of this machine says about runs. */
export interface Trust {
  readonly allowed: readonly Want[]
  /** Runs that were made on this machine, by {@link runKey}: kept where no sender of a run can write. */
  readonly made: { has(key: string): boolean; add(key: string): void }
  /** Asks the user whether a run may have all of this. Absent: nobody can be asked. */
  readonly confirm?: (question: string) => Promise<boolean>
}

/** Of a program that keeps no record: what this process made is its own. */
const thisProcess: Trust = { allowed: [], made: new Set<string>() }

type Asking = Pick<RunFile, 'id' | 'sources' | 'models' | 'limits'>

/** Identifies a run by all that it asks: one that somebody changed has another key. */
const runKey = ({ id, sources, models, limits }: Asking): string =>
  hash('sha256', sortedJson(JSON.parse(JSON.stringify([id, sources, models, limits])) as Json), 'hex')

/** Notes that the user of this machine made a run. */
export const rememberRun = (file: Asking, { trust = thisProcess }: RunContext): void => trust.made.add(runKey(file))

/** Was a run made on this machine, and is it unchanged? */
export const isMadeHere = (file: Asking, { trust = thisProcess }: RunContext): boolean => trust.made.has(runKey(file))

/** What a run asks of this machine beyond what its providers have by themselves, such as `OPENAI_API_KEY` for api.openai.com. */
export function wantsOf(models: readonly RunModel[], context: RunContext): readonly Want[] {
  const all = models.flatMap(({ spec, options }) => {
    const own = sends(needsOf(spec, {}, context.providers), context)
    const { program, file, ...needs } = needsOf(spec, options, context.providers)
    return [
      ...(program === undefined ? [] : [{ kind: 'exec', value: program } as const]),
      ...(file === undefined ? [] : [{ kind: 'file', value: file } as const]),
      ...sends(needs, context).filter((want) => !own.some((one) => isSame(one, want))),
    ]
  })
  return all.filter((want, i) => all.findIndex((one) => isSame(one, want)) === i)
}

/** Where questions go, and the variables that are set here and go along. A server that is none is reported when it is opened. */
function sends({ server, secrets = [] }: ReturnType<typeof needsOf>, { around }: RunContext): readonly Want[] {
  // A provider that does not say where they go: nobody can allow it for a run from elsewhere.
  if (server === undefined) return secrets.map((name) => ({ kind: 'env', value: `${name}=an unknown server` }))
  const { url, variable } = { url: undefined, variable: undefined, ...server }
  const origin = originOf(url ?? around.env[variable ?? ''] ?? '')
  if (origin === null) return []
  const set = [...secrets, ...(variable === undefined ? [] : [variable])].filter(
    (name) => (around.env[name] ?? '') !== '',
  )
  return [{ kind: 'host', value: origin }, ...set.map((name): Want => ({ kind: 'env', value: `${name}=${origin}` }))]
}

/** Scheme, host and port; a host alone is meant with https. null: it is none. */
function originOf(text: string): string | null {
  const url = URL.parse(/^https?:\/\//iu.test(text) ? text : `https://${text}`)
  return url === null || text === '' ? null : url.origin
}

const isSame = (one: Want, other: Want): boolean => one.kind === other.kind && one.value === other.value

/** What an owner writes, as runs ask for it. @throws UsageError for what names no server */
export function allowance(kind: Want['kind'], text: string): readonly Want[] {
  if (kind === 'exec' || kind === 'file') return [{ kind, value: text }]
  const [, name, place] = kind === 'env' ? (/^(\w+)=(.+)$/su.exec(text) ?? []) : [null, null, text]
  const origin = originOf(place ?? '')
  if (origin === null || name === undefined)
    throw new UsageError(
      kind === 'env'
        ? `expected VARIABLE=HOST, the variable and the server that may get it, got "${text}". Example: MY_KEY=api.example.org`
        : `expected a host, got "${text}". Example: api.example.org, or http://127.0.0.1:8000`,
    )
  const host: Want = { kind: 'host', value: origin }
  return name === null ? [host] : [host, { kind, value: `${name}=${origin}` }]
}

const WORDS: { readonly [kind in Want['kind']]: (value: string) => string } = {
  exec: (value) => `start the program ${value}`,
  file: (value) => `read ${value}`,
  host: (value) => `send its questions to ${value}`,
  env: (value) => `send the variable ${value.replace('=', ' to ')}`,
}

/** What a run would do here, for people. */
export const describeWant = ({ kind, value }: Want): string => WORDS[kind](printable(value))

/** Control characters could hide in a terminal what is asked. */
const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`)

/**
 * Lets a run open its models.
 *
 * @param command - what the flags belong to, for the message.
 * @throws UsageError for a run from elsewhere that asks for what the owner of this machine did not allow.
 */
export async function requireTrusted(file: Asking, context: RunContext, command: string): Promise<void> {
  const { trust = thisProcess } = context
  if (isMadeHere(file, context)) return
  const asked = wantsOf(file.models, context).filter((want) => !trust.allowed.some((one) => isSame(one, want)))
  // A variable takes its server with it.
  const shown = asked.filter(
    ({ kind, value }) => kind !== 'host' || !asked.some((one) => one.kind === 'env' && one.value.endsWith(`=${value}`)),
  )
  if (shown.length === 0) return
  const what = `this run was not made on this machine. It would ${shown.map(describeWant).join('; ')}`
  if ((await trust.confirm?.(what)) === true) return rememberRun(file, context)
  const flags = shown.map(({ kind, value }) => `--allow-${kind} ${quoted(printable(value))}`)
  throw new UsageError(`${what}. If you trust its author: ${command} ${flags.join(' ')}`)
}

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
