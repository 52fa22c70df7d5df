import type { RunPage } from '../routing.ts'
import { annotatePage } from './annotate.tsx'
import { byFeaturePage } from './by-feature.tsx'
import { comparePage } from './compare.tsx'
import { itemPage } from './item.tsx'
import { itemsPageOfRun } from './items.tsx'
import { overviewPage } from './overview.tsx'
import { tokensPage } from './tokens.tsx'

/** All pages about a run, in the order of the navigation. */
export const runPages: readonly RunPage[] = [
  overviewPage,
  itemsPageOfRun,
  byFeaturePage,
  comparePage,
  tokensPage,
  annotatePage,
  itemPage,
]
