import { familyLaws } from './family-laws.ts'

familyLaws('proficiency')
