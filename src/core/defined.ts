type Optional<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]

/** A record without the keys whose value is undefined: a key that may be undefined may be absent. */
export type Defined<T> = Omit<T, Optional<T>> & { readonly [K in Optional<T>]?: Exclude<T[K], undefined> }

/**
 * Drops the keys whose value is undefined, for options that tell an absent key from an undefined one.
 */
export const defined = <T extends object>(record: T): Defined<T> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>
