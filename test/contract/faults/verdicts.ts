import { expect, it } from 'vitest'

/**
 * Asks for an objection to each fault; those among `survivors`, with their reasons, are let through by all checks. Call inside a
 * `describe`.
 */
export function areCaught<Fault extends { readonly name: string }>(
  faults: readonly Fault[],
  survivors: { readonly [name: string]: string },
  inject: (fault: Fault) => string | null,
): void {
  const verdicts = new Map<string, string | null>()
  it.each(faults.map((fault) => [fault.name, fault] as const))('%s', (name, fault) => {
    const objection = inject(fault)
    verdicts.set(name, objection)
    if (name in survivors) expect(objection).toBeNull()
    else expect(objection).not.toBeNull()
  })

  it('are at least 20, and at least 95 of 100 are caught', () => {
    expect(verdicts.size).toBe(faults.length)
    expect(faults.length).toBeGreaterThanOrEqual(20)
    const caught = [...verdicts.values()].filter((objection) => objection !== null)
    expect(caught.length / faults.length).toBeGreaterThanOrEqual(0.95)
    // By many different checks: none of them is idle.
    expect(new Set(caught.map((objection) => objection.split(':')[0])).size).toBeGreaterThan(8)
  })
}
