import type { Family } from '../../core/index.ts'
import { discriminate } from './discriminate/task.ts'
import { generate } from './generate/task.ts'
import { paper } from './paper.ts'

export const proficiency: Family = { name: 'proficiency', tasks: [discriminate, generate], importers: [], paper }
