import { sample } from '../../nightly.ts'
import { entriesGiveTheirTables } from './entries.ts'

entriesGiveTheirTables('relic', ['relic/inflection', 'relic/figure4', 'relic/figure7'], {
  items: sample({ nightly: 12, otherwise: 3 }),
  smaller: { relic: ['relic-500', 'relic-demo'] },
})
