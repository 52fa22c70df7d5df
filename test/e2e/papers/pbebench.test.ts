import { sample } from '../../nightly.ts'
import { entriesGiveTheirTables } from './entries.ts'

// Cascades of thirty rules are searched for long.
entriesGiveTheirTables('pbebench', [], { items: sample({ nightly: 6, otherwise: 1 }) })
