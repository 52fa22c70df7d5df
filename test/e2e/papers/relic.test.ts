import { entriesGiveTheirTables } from './entries.ts'

entriesGiveTheirTables('relic', ['relic/inflection', 'relic/figure7'])
