import { sample } from '../../nightly.ts'
import { entriesGiveTheirTables } from './entries.ts'

// Cascades of twenty and thirty rules are searched for long: as Figures 2 and 11 they are asked with shorter ones.
entriesGiveTheirTables('pbebench', [], {
  items: sample({ nightly: 6, otherwise: 1 }),
  slow: ['pbebench-20-30', 'pbebench-25-30', 'pbebench-samples-20', 'pbebench-moreeg', 'pbebench-samples'],
  smaller: {
    'pbebench-lengths': ['pbebench-published', 'pbebench-lite-published'],
    'pbebench-sound-laws': ['samples: 32', 'samples: 4'],
  },
})
