import { isObject, type Json, type JsonObject } from '../core/index.ts'

/** A configuration with one parameter changed; a path such as `a.b` sets a nested key. */
export const withParameter = (config: JsonObject, path: string, value: Json): JsonObject =>
  withValue(config, path.split('.'), value)

function withValue(config: JsonObject, [key, ...rest]: readonly string[], value: Json): JsonObject {
  if (key === undefined) return config
  if (rest.length === 0) return { ...config, [key]: value }
  const inner = config[key]
  return { ...config, [key]: withValue(inner !== undefined && isObject(inner) ? inner : {}, rest, value) }
}
