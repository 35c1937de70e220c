/** The type of an object in which a field is absent instead of undefined. */
export type WithoutUndefined<T> = T extends unknown
  ? { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
      [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
    }
  : never

/** Returns the object without the fields that are undefined. */
export function omitUndefined<T extends object>(fields: T): WithoutUndefined<T> {
  const defined: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) defined[name] = value
  return defined as WithoutUndefined<T>
}
