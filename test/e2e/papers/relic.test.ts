import { entriesGiveTheirTables } from './entries.ts'

entriesGiveTheirTables('relic', ['relic/work'], {
  items: 12,
  smaller: {
    relic: ['relic-500-published', 'relic-demo'],
    'relic-strategies': ['relic-500-published, config: { grammars: 40, pool: 120 }', 'relic-demo'],
  },
})
