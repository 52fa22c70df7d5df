import { join } from 'node:path'
import { parseAnalyzer } from '../src/libraries/grammars/recognise/parses.ts'
import { compileRecognizer } from '../src/libraries/grammars/recognise/recognizer.ts'
import { cykAccepts } from '../test/unit/grammars/cyk.ts'
import { type Case, generatedCases, releasedCases } from './recognition/cases.ts'
import { geometricMean, interleaved, median } from './recognition/cpu.ts'
import { compileC, findPython, nearleyTime, type PeerTime, pythonTimes, timeOfC } from './recognition/peers.ts'
import type { BenchTable } from './table.ts'

/** Ratios that every grammar should reach (peer time / ours). */
const goals: Readonly<Record<string, number>> = {
  'plain CYK': 50,
  nearley: 12,
  'lark earley': 500,
  'lark cyk': 250,
  'nltk chart': 400,
  'C end masks': 0.91,
}

/**
 * Membership from the raw text against other parsers, ratios of CPU time in one run. `cap`: seconds after which a peer
 * is stopped on one grammar; its ratio is then a lower bound.
 */
export async function run(options: { readonly cap?: number } = {}): Promise<BenchTable> {
  const cap = options.cap ?? 4
  const shared = process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../shared')
  const released = releasedCases(shared)
  const python = findPython()
  const c = compileC()
  const peers = Object.keys(goals)
  const rows: (string | number)[][] = []
  const notes: string[] = []
  const ratios: Record<string, number[]> = Object.fromEntries(peers.map((peer) => [peer, []]))
  for (const one of [...released, ...generatedCases()]) {
    const { micros, tokenMicros, plain, fewMicros } = own(one)
    const cMicros = c === null ? null : timeOfC(c.program, one)
    const times: Record<string, PeerTime> = {
      nearley: nearleyTime(one, cap),
      ...(python === null ? {} : pythonTimes(python.command, one, cap)),
    }
    const cells = peers.map((peer) => {
      if (peer === 'plain CYK') return measured(plain / micros)
      if (peer === 'C end masks') return cMicros === null ? notMeasured : measured(cMicros / tokenMicros)
      const time = times[peer]
      if (time === undefined || time.kind === 'absent') return notMeasured
      return measured((time.seconds * 1e6) / fewMicros, time.kind === 'atLeast' ? '> ' : '')
    })
    for (const [index, { ratio }] of cells.entries()) {
      const peer = peers[index] as string
      if (ratio === null) continue
      ratios[peer]?.push(ratio)
      if (ratio < (goals[peer] as number)) {
        const ours = peer === 'plain CYK' ? micros : peer === 'C end masks' ? tokenMicros : fewMicros / one.few.length
        notes.push(`missed: ${one.name} ${peer} ${digits(ratio)} < ${goals[peer]}: ${reason(one, peer, ratio, ours)}`)
      }
    }
    const { nonterminals, terminals, binary } = one.grammar
    rows.push([
      one.name,
      nonterminals.length,
      terminals.length,
      binary.length / 3,
      Number(micros.toFixed(2)),
      Math.round(1e6 / micros),
      ...cells.map(({ text }) => text),
    ])
  }
  const overAll = (summary: (values: readonly number[]) => number) =>
    peers.map((peer) => (ratios[peer]!.length === 0 ? '-' : digits(summary(ratios[peer]!))))
  const geometric = overAll(geometricMean)
  const least = overAll((values) => Math.min(...values))
  rows.push(['geometric mean', '', '', '', '', '', ...geometric], ['least', '', '', '', '', '', ...least])
  return {
    title: 'Membership of a string, from its text: CPU time of other parsers as multiples of ours',
    columns: [
      'grammar',
      'N',
      'T',
      'binary',
      'us per string',
      'strings/s',
      ...peers.map((peer) => `${peer} (goal ${goals[peer]})`),
    ],
    rows,
    notes: [
      'CPU time of one thread, warm, median of five; ours begins with tokenising, plain CYK and nearley get tokens. us per string, strings/s and plain CYK: up to 300 of the strings; the others: 16 strings of 6 to 50 tokens, half in the language.',
      `Plain CYK is test/unit/grammars/cyk.ts. nearley 2.20.1, its error report switched off. "> x": stopped after ${cap} s, a lower bound; ours covers all 16 strings.`,
      python === null
        ? 'lark and nltk: no python3 with either was found (Debian: python3-lark, python3-nltk).'
        : `lark ${python.versions['lark'] ?? 'not installed'} (as RELIC uses it: Earley, dynamic lexer), nltk ${python.versions['nltk'] ?? 'not installed'}; median of as many of five passes as the cap allows. They build charts or trees; ours answers yes or no.`,
      c === null
        ? 'No C compiler (cc, gcc or clang) was found.'
        : `C end masks is bench/recognition/cyk.c (${c.compiler}); here ours begins with tokens, too. Goal for the geometric mean: 2.`,
      released.length === 0
        ? 'The released grammars are not on this machine: generated ones only.'
        : `${released.length} released grammars.`,
      'Generated grammars: terminals/nonterminals/lexical/binary asked for, before trimming.',
      ...notes,
    ],
  }
}

const digits = (ratio: number): string => ratio.toFixed(ratio < 10 ? 2 : 0)
const notMeasured = { ratio: null, text: '-' }
const measured = (ratio: number, sign = '') => ({ ratio, text: `${sign}${digits(ratio)}` })

/** Microseconds per string from the text, from tokens and by plain CYK; microseconds of all the few strings. */
function own(one: Case): { micros: number; tokenMicros: number; plain: number; fewMicros: number } {
  const recognizer = compileRecognizer(one.grammar)
  const { strings, few, grammar } = one
  for (const { tokens, text, member } of [...strings, ...few])
    if (cykAccepts(grammar, tokens) !== member || recognizer.acceptsText(text) !== member)
      throw new Error(`recognisers disagree on ${JSON.stringify(text)} of ${one.name}`)
  let accepted = 0
  const [all, encoded, plain, some] = interleaved([
    () => {
      for (const { text } of strings) if (recognizer.acceptsText(text)) accepted++
    },
    () => {
      for (const { tokens } of strings) if (recognizer.accepts(tokens)) accepted++
    },
    () => {
      for (const { tokens } of strings) if (cykAccepts(grammar, tokens)) accepted++
    },
    () => {
      for (const { text } of few) if (recognizer.acceptsText(text)) accepted++
    },
  ]) as [number, number, number, number]
  if (accepted === 0) throw new Error(`nothing was accepted of ${one.name}`)
  const count = strings.length
  return { micros: all / count, tokenMicros: encoded / count, plain: plain / count, fewMicros: some }
}

/** Why a goal is missed: a full chart leaves row propagation less to skip, an empty one leaves a peer little to do. */
function reason(one: Case, peer: string, ratio: number, micros: number): string {
  const analyzer = parseAnalyzer(one.grammar)
  const logs = one.few
    .filter(({ member }) => member)
    .map(({ tokens }) => analyzer.count(tokens))
    .map(({ mantissa, exponent }) => Math.log10(mantissa) + exponent * Math.log10(2))
  const parses = `members have 10^${median(logs).toFixed(1)} parses (median)`
  if (peer === 'C end masks') return `${parses}; ours takes ${micros.toFixed(2)} us per string`
  if (peer === 'plain CYK') return `${parses}: the fuller the chart, the fewer rules and spans there are to skip`
  return `${parses}; ${peer} needs ${(ratio * micros).toFixed(0)} us per string where its chart stays nearly empty, we ${micros.toFixed(2)} us, a third of it for reading the text`
}

if (import.meta.main) {
  const { title, columns, rows, notes } = await run()
  process.stdout.write(`${title}\n\n| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|\n`)
  for (const row of rows) process.stdout.write(`| ${row.join(' | ')} |\n`)
  for (const note of notes) process.stdout.write(`\n${note}\n`)
}
