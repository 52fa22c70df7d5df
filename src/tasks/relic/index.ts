import type { Family } from '../../core/index.ts'
import { count } from './count/task.ts'
import { fill } from './fill/task.ts'
import { judging } from './import/judgements.ts'
import { release } from './import/release.ts'
import { next } from './next/task.ts'
import { paper } from './paper.ts'
import { parse } from './parse/task.ts'
import { recognize } from './recognize/task.ts'
import { repair } from './repair/task.ts'
import { translate } from './translate/task.ts'

export const relic: Family = {
  name: 'relic',
  tasks: [recognize, parse, next, fill, count, repair, translate],
  importers: [release],
  judging: [judging],
  paper,
}
