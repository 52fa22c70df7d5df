/** A value as JSON text; a short text in its place where it is nested too deeply to be written, as a hostile body may be. */
export function safeStringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '(nested too deeply to be shown)'
  }
}
