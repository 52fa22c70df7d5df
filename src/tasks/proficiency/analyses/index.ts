import type { Analysis } from '../../../core/index.ts'
import { acquisition } from './acquisition.ts'
import { aucAnalysis } from './auc.ts'
import { classesAnalysis } from './classes.ts'
import { byCondition } from './conditions.ts'
import { conflict } from './conflict.ts'
import { criterion } from './criterion.ts'
import { figure4, figure5 } from './curves.ts'
import { epochs } from './epochs.ts'
import { gain } from './gain.ts'
import { ladder } from './ladder.ts'
import { figure3, figure11, figure12, grammarTables } from './languages.ts'
import { lossAnalysis } from './loss.ts'
import { memorisation } from './memorisation.ts'
import { modes, modesBias, modesGap } from './modes.ts'
import { negatives } from './negatives.ts'
import { neighbours } from './neighbours.ts'
import { editPlaces, positions } from './places.ts'
import { questions, table1 } from './ranking.ts'
import { rules } from './rules.ts'
import { separation } from './separation.ts'
import { stringFormats } from './string-formats.ts'

/** In the order of the paper, then what goes beyond it; those about the languages alone are the same in every condition. */
export const analyses: readonly Analysis[] = [
  ...[table1, aucAnalysis, separation, lossAnalysis, questions, figure3, figure4, figure5].map(byCondition),
  grammarTables,
  figure11,
  figure12,
  ladder,
  ...[modes, modesGap, modesBias, epochs, conflict, gain, neighbours, rules, memorisation].map(byCondition),
  ...[classesAnalysis, criterion, acquisition, negatives, positions, editPlaces].map(byCondition),
  stringFormats,
]
