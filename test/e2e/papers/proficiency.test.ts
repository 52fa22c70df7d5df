import { entriesGiveTheirTables } from './entries.ts'

entriesGiveTheirTables('proficiency', ['proficiency/criterion'], { items: 12 })
