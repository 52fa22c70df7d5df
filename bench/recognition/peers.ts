import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cnf } from '../../src/libraries/grammars/grammar/cnf.ts'
import { printRelicGrammar } from '../../src/libraries/grammars/notation/relic.ts'
import type { Case } from './cases.ts'
import { median } from './cpu.ts'

/** CPU seconds for a case's few strings; `atLeast` where the cap stopped the parser. */
export type PeerTime =
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'atLeast'; readonly seconds: number; readonly finished: number }
  | { readonly kind: 'absent'; readonly reason: string }

interface PeerRule {
  readonly kind: 'nonterminal' | 'terminal'
  readonly name: string
}

function rulesOf(grammar: Cnf): [string, ...PeerRule[]][] {
  const { nonterminals, terminals, binary, lexical } = grammar
  const nonterminal = (at: number): PeerRule => ({ kind: 'nonterminal', name: nonterminals[at] as string })
  const rules: [string, ...PeerRule[]][] = []
  for (let at = 0; at < binary.length; at += 3)
    rules.push([
      nonterminals[binary[at] as number] as string,
      nonterminal(binary[at + 1] as number),
      nonterminal(binary[at + 2] as number),
    ])
  for (let at = 0; at < lexical.length; at += 2)
    rules.push([
      nonterminals[lexical[at] as number] as string,
      { kind: 'terminal', name: terminals[lexical[at + 1] as number] as string },
    ])
  return rules
}

const jobOf = ({ grammar, few }: Case) => ({
  grammar: printRelicGrammar(grammar),
  start: grammar.nonterminals[0],
  rules: rulesOf(grammar),
  strings: few.map(({ text, member }) => [text, member]),
})

/** nearley in a child process, warm; stopped after `cap` CPU seconds (and one more, for starting). */
export function nearleyTime(one: Case, cap: number): PeerTime {
  const node = [process.execPath, '--max-old-space-size=1024', join(import.meta.dirname, 'nearley-child.ts')]
  const child = spawnSync('sh', ['-c', `ulimit -t ${cap + 1}; exec "$@"`, 'sh', ...node], {
    input: JSON.stringify(jobOf(one)),
    encoding: 'utf8',
  })
  const lines = child.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): { seconds: number; wrong: number } => JSON.parse(line))
  const last = lines.at(-1)
  if (last === undefined) return { kind: 'atLeast', seconds: cap, finished: 0 }
  if (last.wrong > 0) throw new Error(`nearley disagrees on ${last.wrong} strings of ${one.name}`)
  return { kind: 'seconds', seconds: last.seconds }
}

/** The first Python here that has lark or nltk, with their versions; null where none has. */
export function findPython(): { readonly command: string; readonly versions: Record<string, string | null> } | null {
  for (const command of ['python3', '/usr/bin/python3', 'python']) {
    const child = spawnSync(command, [script, '--versions'], { encoding: 'utf8' })
    if (child.status !== 0) continue
    const versions: Record<string, string | null> = JSON.parse(child.stdout)
    if (Object.values(versions).some((version) => version !== null)) return { command, versions }
  }
  return null
}

const script = join(import.meta.dirname, 'peers.py')

/** Each Python parser on a case's few strings: the median of up to five passes within `cap` CPU seconds a parser. */
export function pythonTimes(command: string, one: Case, cap: number): Record<string, PeerTime> {
  const child = spawnSync(command, [script], {
    input: JSON.stringify({ ...jobOf(one), cap, passes: 5 }),
    encoding: 'utf8',
  })
  const times: Record<string, PeerTime> = {}
  for (const line of child.stdout.split('\n')) {
    if (line === '') continue
    const result: { parser: string; finished: number; seconds: number[]; wrong: number; error?: string } =
      JSON.parse(line)
    if (result.wrong > 0) throw new Error(`${result.parser} disagrees on ${result.wrong} strings of ${one.name}`)
    times[result.parser] =
      result.error !== undefined
        ? { kind: 'absent', reason: result.error }
        : result.seconds.length > 0
          ? { kind: 'seconds', seconds: median(result.seconds) }
          : { kind: 'atLeast', seconds: cap, finished: result.finished }
  }
  return times
}

/** Compiles the straight C recogniser; null where there is no C compiler. */
export function compileC(): { readonly program: string; readonly compiler: string } | null {
  const program = join(mkdtempSync(join(tmpdir(), 'recognition-')), 'cyk')
  for (const command of ['cc', 'gcc', 'clang']) {
    const { status } = spawnSync(command, ['-O3', '-o', program, join(import.meta.dirname, 'cyk.c')])
    if (status !== 0) continue
    const version = spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0] as string
    return { program, compiler: `${version}, -O3` }
  }
  return null
}

/** CPU microseconds of the C program for a string, from its tokens. */
export function timeOfC(program: string, { name, grammar, strings }: Case): number {
  const { nonterminals, terminals, binary, lexical } = grammar
  const numbers = [
    [nonterminals.length, terminals.length],
    [binary.length / 3, ...binary],
    [lexical.length / 2, ...lexical],
    [strings.length, ...strings.flatMap(({ tokens }) => [tokens.length, ...tokens])],
  ]
  const { stdout, status } = spawnSync(program, { input: numbers.flat().join(' '), encoding: 'utf8' })
  const [members, micros] = stdout.split(' ').map(Number) as [number, number]
  if (status !== 0 || members !== strings.filter(({ member }) => member).length)
    throw new Error(`the C recogniser ended with ${status} and ${members} members on ${name}`)
  return micros
}
