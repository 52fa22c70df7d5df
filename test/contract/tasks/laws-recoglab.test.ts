import { familyLaws } from './family-laws.ts'

familyLaws('recoglab')
