export {
  type Arrangement,
  arrangedLanguage,
  arrangements,
  countedWords,
  letterWords,
  sourceOf,
} from './arranged.ts'
export { bestDerivation } from './best-derivation.ts'
export { copy, counting, dyck, mirror, type RegularParameters, regular } from './classes.ts'
export { crossedConditionals, pairRules, plainReading, reverseSecondHalf } from './crossed.ts'
export { EarleyReader, earleyAccepts, earleyConditionals } from './earley.ts'
export {
  plainlyUnambiguous,
  type SampledAmbiguity,
  type SampledEntropy,
  sampledAmbiguity,
  sampledEntropy,
} from './estimates.ts'
export {
  type BuildOptions,
  heights,
  isTerminal,
  type NamedRule,
  type NamedSymbol,
  type Pcfg,
  PcfgError,
  type PcfgFault,
  type PcfgRule,
  reachable,
  terminalIndex,
  terminalName,
} from './grammar.ts'
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
  type PrefixArc,
  PrefixAutomaton,
  type PrefixState,
  prefixAutomaton,
  stringProbability,
} from './prefix-automaton.ts'
export { type PaperGrammar, paperGrammar, paperGrammars } from './presets.ts'
export {
  derivationalEntropy,
  expectedLength,
  type FiniteLanguage,
  type InfiniteLanguage,
  type LengthDistribution,
  lengthDistribution,
  wholeLanguage,
} from './quantities.ts'
export {
  type BridgedParameters,
  bridgedHpcfg,
  type HpcfgParameters,
  type ProbabilityShape,
  randomHpcfg,
} from './random-hpcfg.ts'
export { parsePcfg, printPcfg } from './text.ts'
export { mapAlphabet, tiltEntropy } from './transform.ts'
export {
  type Constituent,
  constituents,
  type Derivation,
  sampleDerivation,
  type TokenString,
  textOf,
  tokensOf,
  yieldOf,
} from './tree.ts'
