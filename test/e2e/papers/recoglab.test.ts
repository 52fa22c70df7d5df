import { entriesGiveTheirTables } from './entries.ts'

entriesGiveTheirTables('recoglab', ['recoglab/thinking-social'])
