import { familyLaws } from './family-laws.ts'

familyLaws('clutrr')
