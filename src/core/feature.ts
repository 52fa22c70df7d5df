import type { z } from 'zod'

/** A feature of items: its type, role, description and unit, as the manifest states them. */
export const feature = <T extends z.ZodType>(
  type: T,
  role: 'difficulty' | 'stratum' | 'nuisance' | 'truth' | 'id',
  text: string,
  unit?: string,
): T => type.describe(text).meta({ role, ...(unit === undefined ? {} : { unit }) })
