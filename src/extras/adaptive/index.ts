export { adaptiveExtension } from './extension.ts'
export {
  type ItemAnswer,
  isPreciseEnough,
  ModelSchedule,
  type ParameterValue,
  parseStopRule,
} from './model-schedule.ts'
export { type AdaptiveSteps, loadAdaptive, loadSteps } from './schedules.ts'
