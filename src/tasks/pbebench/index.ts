import type { Family } from '../../core/index.ts'
import { importInduce, importReorder, importSoundLaws } from './importer.ts'
import { induce } from './induce/task.ts'
import { reorder } from './reorder/task.ts'
import { soundLaws } from './sound-laws/task.ts'

/** PBEBench: inducing, reordering and discovering ordered string rewrites. */
export const pbebench: Family = {
  name: 'pbebench',
  tasks: [induce, reorder, soundLaws],
  importers: [importInduce, importReorder, importSoundLaws],
}
