export { adaptiveExtension } from './extension.ts'
export { type ItemAnswer, ModelSchedule, type ParameterValue } from './model-schedule.ts'
export { type AdaptiveSteps, loadAdaptive, loadSteps } from './schedules.ts'
export { isPreciseEnough, parseStopRule } from './stop-rule.ts'
