export { type SequenceLearner, scoreSequence, uniform } from './learner.ts'
export { Mixture } from './mixture.ts'
export { makeLearner } from './named.ts'
