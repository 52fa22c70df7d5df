import { z } from 'zod'
import { isObject, type Json, type JsonObject, type Task } from '../../../core/index.ts'

/** Control of a parameter; `json` is any value, written as JSON. */
export type Control =
  | { readonly kind: 'number'; readonly least: number | null; readonly most: number | null; readonly whole: boolean }
  | { readonly kind: 'choice'; readonly values: readonly Json[] }
  | { readonly kind: 'switch' }
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }

export interface TaskParameter {
  readonly name: string
  readonly description: string
  readonly control: Control
}

export function taskParameters(task: Task): readonly TaskParameter[] {
  const { properties } = z.toJSONSchema(task.config, { io: 'input', unrepresentable: 'any' }) as JsonObject
  if (properties === undefined || !isObject(properties)) return []
  return Object.entries(properties).map(([name, schema]) => {
    const described = isObject(schema) ? schema['description'] : undefined
    return { name, description: typeof described === 'string' ? described : '', control: controlOf(schema) }
  })
}

function controlOf(schema: Json): Control {
  if (!isObject(schema)) return { kind: 'json' }
  const { type, enum: values, anyOf, minimum, maximum } = schema
  if (Array.isArray(values)) return { kind: 'choice', values }
  if (Array.isArray(anyOf)) {
    const constants = anyOf.map((one: Json) => (isObject(one) ? one['const'] : undefined))
    return constants.every((one) => one !== undefined) ? { kind: 'choice', values: constants } : { kind: 'json' }
  }
  switch (type) {
    case 'boolean':
      return { kind: 'switch' }
    case 'string':
      return { kind: 'text' }
    case 'integer':
    case 'number':
      return { kind: 'number', least: bound(minimum), most: bound(maximum), whole: type === 'integer' }
    default:
      return { kind: 'json' }
  }
}

const bound = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value < Number.MAX_SAFE_INTEGER ? value : null
