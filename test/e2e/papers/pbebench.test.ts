import { entriesGiveTheirTables } from './entries.ts'

entriesGiveTheirTables('pbebench', [])
