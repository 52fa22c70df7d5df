import type { Protocol } from '../app.ts'
import { nemoGym } from './nemo-gym.ts'
import { openEnv } from './open-env.ts'
import { openReward } from './open-reward.ts'
import { openRlhf } from './open-rlhf.ts'

/** Every protocol the server speaks besides its own. */
export const protocols: readonly Protocol[] = [nemoGym, openEnv, openRlhf, openReward]
