import fc from 'fast-check'
import { sample } from './nightly.ts'

// Forty cases at random, other ones in every run, miss what one case in ten shows once in seventy runs.
fc.configureGlobal({ numRuns: sample({ nightly: 100, otherwise: 40 }) })
