import { familyLaws } from './family-laws.ts'

familyLaws('relic')
