import { sample } from '../../nightly.ts'
import { entriesGiveTheirTables } from './entries.ts'

entriesGiveTheirTables('relic', ['relic/inflection'], {
  items: sample({ nightly: 12, otherwise: 3 }),
  smaller: { relic: ['relic-500', 'relic-demo'] },
})
