export { type SequenceLearner, scoreSequence, uniform } from './learner.ts'
export { Mixture, makeLearner } from './mixture.ts'
