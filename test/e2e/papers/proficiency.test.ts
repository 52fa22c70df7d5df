import { entriesGiveTheirTables } from './entries.ts'

entriesGiveTheirTables('proficiency', ['proficiency/criterion'], 12)
