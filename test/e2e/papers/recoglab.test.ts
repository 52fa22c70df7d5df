import { entriesGiveTheirTables } from './entries.ts'

// Twenty-six configs, each with a local reader to be trained.
entriesGiveTheirTables('recoglab', ['recoglab/thinking-social'], { slow: ['recoglab-figure3'] })
