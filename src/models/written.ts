/** A value as JSON text. What is nested too deeply to be written is told so: a body may be made to break whoever reads it. */
export function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '(nested too deeply to be shown)'
  }
}
