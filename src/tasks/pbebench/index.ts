import type { Family } from '../../core/index.ts'
import { importInduce, importReorder } from './import/released-items.ts'
import { importSoundChange, importSoundLaws } from './import/sound-laws.ts'
import { importCldf, importEdictor } from './import/word-lists.ts'
import { induce } from './induce/task.ts'
import { paper } from './paper.ts'
import { reorder } from './reorder/task.ts'
import { soundChange } from './sound-change/task.ts'
import { soundLaws } from './sound-laws/task.ts'

/** PBEBench: inducing, reordering and discovering ordered string rewrites. */
export const pbebench: Family = {
  name: 'pbebench',
  tasks: [induce, reorder, soundLaws, soundChange],
  importers: [importInduce, importReorder, importSoundLaws, importSoundChange, importCldf, importEdictor],
  paper,
}
