import { familyLaws } from './family-laws.ts'

familyLaws('slr-bench')
