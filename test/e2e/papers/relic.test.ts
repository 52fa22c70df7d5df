import { sample } from '../../nightly.ts'
import { entriesGiveTheirTables } from './entries.ts'

entriesGiveTheirTables('relic', ['relic/inflection', 'relic/work'], {
  items: sample({ nightly: 12, otherwise: 3 }),
  smaller: {
    relic: ['relic-500-published', 'relic-demo'],
    'relic-strategies': ['relic-500-published, config: { grammars: 40, pool: 120 }', 'relic-demo'],
  },
})
