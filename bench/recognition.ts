import { join } from 'node:path'
import { parseAnalyzer } from '../src/libraries/grammars/recognise/parses.ts'
import { compileRecognizer } from '../src/libraries/grammars/recognise/recognizer.ts'
import { cykAccepts } from '../test/unit/grammars/cyk.ts'
import { type Case, generatedCases, releasedCases } from './recognition/cases.ts'
import { geometricMean, interleaved, median } from './recognition/cpu.ts'
import { findPython, nearleyTime, type PeerTime, pythonTimes } from './recognition/peers.ts'
import type { BenchTable } from './table.ts'

/** Ratios that every grammar should reach (peer time / ours). */
const goals: Readonly<Record<string, number>> = {
  'plain CYK': 50,
  nearley: 12,
  'lark earley': 500,
  'lark cyk': 250,
  'nltk chart': 400,
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
  const peers = Object.keys(goals)
  const rows: (string | number)[][] = []
  const notes: string[] = []
  const ratios: Record<string, number[]> = Object.fromEntries(peers.map((peer) => [peer, []]))
  for (const one of [...released, ...generatedCases()]) {
    const { micros, plain, fewMicros } = own(one)
    const times: Record<string, PeerTime> = {
      nearley: nearleyTime(one, cap),
      ...(python === null ? {} : pythonTimes(python.command, one, cap)),
    }
    const cells = peers.map((peer) => {
      if (peer === 'plain CYK') return { ratio: plain / micros, text: (plain / micros).toFixed(0) }
      const time = times[peer] ?? { kind: 'absent', reason: 'not installed' }
      if (time.kind === 'absent') return { ratio: null, text: '-' }
      const ratio = (time.seconds * 1e6) / fewMicros
      return { ratio, text: `${time.kind === 'atLeast' ? '> ' : ''}${ratio.toFixed(0)}` }
    })
    for (const [index, { ratio }] of cells.entries()) {
      const peer = peers[index] as string
      if (ratio === null) continue
      ratios[peer]?.push(ratio)
      if (ratio < (goals[peer] as number))
        notes.push(
          `missed: ${one.name} ${peer} ${ratio.toFixed(0)} < ${goals[peer]}: ${reason(one, peer, ratio, peer === 'plain CYK' ? micros : fewMicros / one.few.length)}`,
        )
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
  const geometric = peers.map((peer) =>
    (ratios[peer] as number[]).length === 0 ? '-' : geometricMean(ratios[peer] as number[]).toFixed(0),
  )
  const least = peers.map((peer) =>
    (ratios[peer] as number[]).length === 0 ? '-' : Math.min(...(ratios[peer] as number[])).toFixed(0),
  )
  rows.push(['geometric mean', '', '', '', '', '', ...geometric], ['least', '', '', '', '', '', ...least])
  return {
    title: 'Membership of a string, from its text: CPU time of other parsers as multiples of ours',
    columns: [
      'grammar',
      'N',
      'T',
      'binary',
      'us a string',
      'strings/s',
      ...peers.map((peer) => `${peer} (goal ${goals[peer]})`),
    ],
    rows,
    notes: [
      'CPU time of one thread, warm, median of five; ours begins with tokenising, plain CYK and nearley get tokens. us a string, strings/s and plain CYK: up to 300 of the strings; the others: 16 strings of 6 to 50 tokens, half in the language.',
      `Plain CYK is test/unit/grammars/cyk.ts. nearley 2.20.1, its error report switched off. "> x": stopped after ${cap} s, a lower bound; ours covers all 16 strings.`,
      python === null
        ? 'lark and nltk: no python3 with either was found (Debian: python3-lark, python3-nltk).'
        : `lark ${python.versions['lark'] ?? 'not installed'} (as RELIC uses it: Earley, dynamic lexer), nltk ${python.versions['nltk'] ?? 'not installed'}; median of as many of five passes as the cap allows. They build charts or trees; ours answers yes or no.`,
      released.length === 0
        ? 'The released grammars are not on this machine: generated ones only.'
        : `${released.length} released grammars.`,
      'Generated grammars: terminals/nonterminals/lexical/binary asked for, before trimming.',
      ...notes,
    ],
  }
}

function own(one: Case): { micros: number; plain: number; fewMicros: number } {
  const recognizer = compileRecognizer(one.grammar)
  const { strings, few, grammar } = one
  for (const { tokens, text, member } of [...strings, ...few])
    if (cykAccepts(grammar, tokens) !== member || recognizer.acceptsText(text) !== member)
      throw new Error(`recognisers disagree on ${JSON.stringify(text)} of ${one.name}`)
  let accepted = 0
  const [all, plain, some] = interleaved([
    () => {
      for (const { text } of strings) if (recognizer.acceptsText(text)) accepted++
    },
    () => {
      for (const { tokens } of strings) if (cykAccepts(grammar, tokens)) accepted++
    },
    () => {
      for (const { text } of few) if (recognizer.acceptsText(text)) accepted++
    },
  ]) as [number, number, number]
  if (accepted === 0) throw new Error(`nothing was accepted of ${one.name}`)
  return { micros: all / strings.length, plain: plain / strings.length, fewMicros: some }
}

/** Why a goal is missed: a full chart leaves row propagation less to skip, an empty one leaves a peer little to do. */
function reason(one: Case, peer: string, ratio: number, micros: number): string {
  const analyzer = parseAnalyzer(one.grammar)
  const logs = one.few
    .filter(({ member }) => member)
    .map(({ tokens }) => analyzer.count(tokens))
    .map(({ mantissa, exponent }) => Math.log10(mantissa) + exponent * Math.log10(2))
  const parses = `members have 10^${median(logs).toFixed(1)} parses (median)`
  if (peer === 'plain CYK') return `${parses}: the fuller the chart, the fewer rules and spans there are to skip`
  return `${parses}; ${peer} needs ${(ratio * micros).toFixed(0)} us a string where its chart stays nearly empty, we ${micros.toFixed(2)} us, a third of it for reading the text`
}

if (import.meta.main) {
  const { title, columns, rows, notes } = await run()
  process.stdout.write(`${title}\n\n| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|\n`)
  for (const row of rows) process.stdout.write(`| ${row.join(' | ')} |\n`)
  for (const note of notes) process.stdout.write(`\n${note}\n`)
}
