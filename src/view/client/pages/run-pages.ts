import type { RunPage } from '../routing.ts'
import { annotatePage } from './annotate/annotate.tsx'
import { byFeaturePage } from './by-feature/by-feature.tsx'
import { comparePage } from './compare/compare.tsx'
import { itemPage } from './item/item.tsx'
import { overviewPage } from './overview/overview.tsx'
import { itemsPageOfRun } from './results/results.tsx'
import { tokensPage } from './tokens/tokens.tsx'

/** All pages about a run, in the order of the navigation. One more is a folder beside this file and a line here. */
export const runPages: readonly RunPage[] = [
  overviewPage,
  itemsPageOfRun,
  byFeaturePage,
  comparePage,
  tokensPage,
  annotatePage,
  itemPage,
]
