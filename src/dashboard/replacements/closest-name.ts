// Replaces src/domain/closest-name.ts, which counts typos with a library that is too large here.
import type * as names from '../../domain/closest-name.ts'

/** Returns the first known name that begins with the same four letters. */
export const closestName: typeof names.closestName = (name, known) =>
  name.length < 4 ? undefined : known.find((each) => each.startsWith(name.slice(0, 4)))
