import type { Family } from '../../core/index.ts'
import { judging } from './import/judgements.ts'
import { release } from './import/release.ts'
import { paper } from './paper.ts'
import { recognize } from './recognize/task.ts'

export const relic: Family = { name: 'relic', tasks: [recognize], importers: [release], judging: [judging], paper }
