import { join } from 'node:path'
import { below } from '../src/core/random.ts'
import { type Stream, streamFromKey } from '../src/core/streams.ts'
import { adjacency, bigramVerdict } from '../src/libraries/grammars/grammar/adjacency.ts'
import { indexRules } from '../src/libraries/grammars/grammar/cnf.ts'
import { applyEdit } from '../src/libraries/grammars/negatives/edit-negatives.ts'
import { neighbourhoodKernel } from '../src/libraries/grammars/recognise/neighbourhood.ts'
import { compileRecognizer } from '../src/libraries/grammars/recognise/recognizer.ts'
import { positiveRoster } from '../src/libraries/grammars/sample/distinct-sequence.ts'
import { insideTable } from '../src/libraries/grammars/sample/inside.ts'
import { language } from '../src/libraries/grammars/sample/language.ts'
import { attainableLengths, lengthTable } from '../src/libraries/grammars/sample/lengths.ts'
import { stringSampler } from '../src/libraries/grammars/sample/sample-string.ts'
import { type Case, generatedCases, releasedCases } from './recognition/cases.ts'
import { interleaved } from './recognition/cpu.ts'
import type { BenchTable } from './table.ts'

const longest = 50
const perLength = 10

/** What every grammar should reach (specs/kernels 7). */
const goals = { insideMs: 1, samplesPerSecond: 150_000, completeMs: 50, neighbourhoodRatio: 15 }

/** Tables by length, exact sampling, complete positive sets and edit-1 neighbourhoods, in CPU time of one process. */
export async function run(): Promise<BenchTable> {
  const shared = process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../shared')
  const rows: (string | number)[][] = []
  const notes: string[] = []
  for (const one of [...releasedCases(shared), ...generatedCases()]) {
    const made = measure(one)
    const { nonterminals, terminals, binary } = one.grammar
    rows.push([
      one.name,
      nonterminals.length,
      terminals.length,
      binary.length / 3,
      round(made.booleanMs, 3),
      round(made.insideMs, 3),
      made.length,
      Math.round(made.samplesPerSecond),
      `${made.found}/${made.attainable}`,
      round(made.completeMs, 1),
      round(made.passMicros, 0),
      round(made.neighbours / made.passMicros, 1),
      Math.round(made.neighbourhoodRatio),
    ])
    const missed = (what: string, value: number, goal: number, why = '') =>
      notes.push(`missed: ${one.name} ${what} ${round(value, 2)}, goal ${goal}${why && `: ${why}`}`)
    if (made.found !== made.attainable) missed('positives', made.found, made.attainable)
    if (made.insideMs > goals.insideMs) missed('inside ms', made.insideMs, goals.insideMs)
    if (made.samplesPerSecond < goals.samplesPerSecond)
      missed('samples/s', made.samplesPerSecond, goals.samplesPerSecond)
    if (made.completeMs > goals.completeMs) missed('complete set ms', made.completeMs, goals.completeMs)
    if (made.neighbourhoodRatio < goals.neighbourhoodRatio)
      missed(
        'neighbourhood ratio',
        made.neighbourhoodRatio,
        goals.neighbourhoodRatio,
        `its longest strings have ${made.length} tokens, and ${round(made.locallyIllegal * 100, 0)} % of the candidates fall at the bigram test, without a parse`,
      )
  }
  return {
    title: 'Generation kernels',
    columns: [
      'grammar',
      'N',
      'T',
      'R',
      'boolean ms',
      'inside ms',
      'length',
      'samples/s',
      'positives',
      'set ms',
      'pass us',
      'M neighbours/s',
      'vs one by one',
    ],
    rows,
    notes: [
      `tables to length ${longest}; samples and passes at the column's length, the longest attainable one`,
      `positives: found/attainable of ${perLength} distinct strings at every length; set ms has tables, draws and proofs from nothing`,
      'neighbours: all substitutions, insertions and deletions of a positive; one by one: each through the recogniser (candidates near positives)',
      `goals: inside <= ${goals.insideMs} ms, >= ${goals.samplesPerSecond} samples/s, set <= ${goals.completeMs} ms, neighbourhood >= ${goals.neighbourhoodRatio} times one by one`,
      ...notes,
    ],
  }
}

function measure({ name, grammar }: Case) {
  const own = language(grammar, longest)
  const lengths = attainableLengths(own.lengths)
  const length = lengths.at(-1) ?? 1
  const terminals = grammar.terminals.length
  const draws = benchStream(name)
  const sampler = stringSampler(own.inside)
  const sources = Array.from({ length: 20 }, () => own.sampler.sample(draws, length))
  const kernel = neighbourhoodKernel(grammar)
  const recognizer = compileRecognizer(grammar)
  const tables = adjacency(grammar)
  const candidates = sources.flatMap((source) =>
    Array.from({ length: 5 }, () =>
      applyEdit(source, { kind: 'substitute', at: below(draws, length), token: below(draws, terminals) }),
    ),
  )
  let next = 0
  const [booleanMicros, insideMicros, sampleMicros, setMicros, passMicros, oneMicros] = interleaved([
    () => lengthTable(indexRules(grammar), longest),
    () => insideTable(grammar, longest),
    () => sampler.sample(draws, length),
    () => completeSet(),
    () => kernel(sources[next++ % sources.length] as Int32Array),
    () => recognizer.accepts(candidates[next++ % candidates.length] as Int32Array),
  ]) as [number, number, number, number, number, number]
  const neighbours = length * terminals + (length + 1) * terminals + length

  function completeSet(): { found: number; attainable: number } {
    const fresh = language(grammar, longest)
    let found = 0
    let attainable = 0
    for (let n = 1; n <= longest; n++) {
      const roster = positiveRoster(fresh, n, benchStream(`${name}/${n}`))
      for (let o = 0; o < perLength && roster.at(o).kind === 'entry'; o++) found++
      attainable += fresh.distinct(perLength).cell(n).strings.length
    }
    return { found, attainable }
  }

  return {
    ...completeSet(),
    length,
    booleanMs: booleanMicros / 1000,
    insideMs: insideMicros / 1000,
    samplesPerSecond: 1e6 / sampleMicros,
    completeMs: setMicros / 1000,
    passMicros,
    neighbours,
    neighbourhoodRatio: (oneMicros * neighbours) / passMicros,
    locallyIllegal:
      candidates.filter((tokens) => bigramVerdict(tables, tokens).kind !== 'legal').length / candidates.length,
  }
}

/** A stream for one measurement, keyed by its name. */
function benchStream(name: string): Stream {
  const key = new Uint8Array(16)
  for (let i = 0; i < name.length; i++) key[i % 16] = ((key[i % 16] as number) * 31 + name.charCodeAt(i)) & 255
  return streamFromKey(key)
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
