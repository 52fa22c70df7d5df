import { byFeatureDocument } from './by-feature.ts'
import { compareRunDocument } from './compare.ts'
import { effectsDocument } from './effects.ts'
import { historyDocument } from './history.ts'
import { itemRunDocument } from './item.ts'
import { itemsDocument, neighboursDocument } from './items.ts'
import { loglikelihoodDocument } from './loglikelihood.ts'
import { outlineDocument } from './outline.ts'
import { overviewDocument } from './overview.ts'
import { referencesByFeatureDocument, referencesDocument } from './references.ts'
import type { RunDocument } from './run-document.ts'
import { subsetAndRestDocument } from './subset-and-rest.ts'
import { tokensRunDocument } from './tokens.ts'

/** All documents about a run; each is served, and exported if it has `exported`. */
export const runDocuments: readonly RunDocument[] = [
  overviewDocument,
  historyDocument,
  outlineDocument,
  referencesDocument,
  byFeatureDocument,
  effectsDocument,
  referencesByFeatureDocument,
  subsetAndRestDocument,
  compareRunDocument,
  tokensRunDocument,
  loglikelihoodDocument,
  itemsDocument,
  neighboursDocument,
  itemRunDocument,
]
