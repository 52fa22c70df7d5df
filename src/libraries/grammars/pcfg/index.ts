export { bestDerivation } from './best-derivation.ts'
export {
  type Arrangement,
  arrangedLanguage,
  arrangements,
  copy,
  countedWords,
  counting,
  dyck,
  letterWords,
  mirror,
  regular,
  sourceOf,
} from './classes.ts'
export { crossedConditionals, pairRules, plainReading, reverseSecondHalf } from './crossed.ts'
export { EarleyReader, earleyAccepts, earleyConditionals } from './earley.ts'
export { plainlyUnambiguous, sampledAmbiguity, sampledEntropy } from './estimates.ts'
export { heights, isTerminal, type Pcfg, PcfgError, reachable, terminalIndex, terminalName } from './grammar.ts'
export { pcfgFromJson, pcfgToJson } from './json.ts'
export { ln } from './ln.ts'
export { aliveTokens, chartedConditionals, derives } from './membership.ts'
export { expectedNeighbours } from './neighbours.ts'
export { pairDistance } from './pair-distance.ts'
export {
  accepts,
  conditionals,
  distanceToLanguage,
  MAX_STATES,
  PrefixAutomaton,
  prefixAutomaton,
} from './prefix-automaton.ts'
export { type PaperGrammar, paperGrammar, paperGrammars } from './presets.ts'
export { derivationalEntropy, expectedLength, lengthDistribution, wholeLanguage } from './quantities.ts'
export { bridgedHpcfg, randomHpcfg } from './random-hpcfg.ts'
export { parsePcfg, printPcfg } from './text.ts'
export { mapAlphabet, tiltEntropy } from './transform.ts'
export {
  type Constituent,
  constituents,
  type Derivation,
  sampleDerivation,
  textOf,
  tokensOf,
  yieldOf,
} from './tree.ts'
