import { isArray, isObject, type Json } from '../../core/index.ts'
import type { Row } from '../../store/index.ts'

export interface Difference {
  readonly path: string
  readonly message: string
}

/** The first column, and path inside it, in which a stored row is not what was made anew. */
export function firstDifference(stored: Row, fresh: Row, columns: readonly string[]): Difference | null {
  for (const column of columns) {
    const found = differ(stored[column] ?? null, fresh[column] ?? null, column)
    if (found !== null) return found
  }
  return null
}

function differ(a: Json, b: Json, path: string): Difference | null {
  if (isArray(a) && isArray(b) && a.length === b.length) {
    for (let i = 0; i < a.length; i++) {
      const found = differ(a[i] as Json, b[i] as Json, `${path}[${i}]`)
      if (found !== null) return found
    }
    return null
  }
  if (isObject(a) && isObject(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found =
        Object.hasOwn(a, name) && Object.hasOwn(b, name)
          ? differ(a[name] as Json, b[name] as Json, `${path}.${name}`)
          : {
              path: `${path}.${name}`,
              message: `${path}.${name} is ${Object.hasOwn(a, name) ? 'not part of' : 'missing from'} the item`,
            }
      if (found !== null) return found
    }
    return null
  }
  if (a === b) return null
  return { path, message: `${path} is ${brief(a)}, made anew it is ${brief(b)}` }
}

const brief = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
