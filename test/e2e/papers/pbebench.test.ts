import { entriesGiveTheirTables } from './entries.ts'

// Cascades of thirty rules are searched for long.
entriesGiveTheirTables('pbebench', [], 6)
