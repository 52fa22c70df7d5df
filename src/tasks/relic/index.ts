import type { Family } from '../../core/index.ts'
import { release } from './import/release.ts'
import { paper } from './paper.ts'
import { recognize } from './recognize/task.ts'
import { judging } from './strategy/judging.ts'

export const relic: Family = { name: 'relic', tasks: [recognize], importers: [release], judging: [judging], paper }
