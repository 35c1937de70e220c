// `${pay.payment.id}`: what an earlier step gave.

/** Results of the steps so far, by id. */
export type Results = ReadonlyMap<string, unknown>

/** A step refers to something that is not there. */
export class UnknownReferenceError extends Error {
  override readonly name = 'UnknownReference'
}

/** Replaces references everywhere in `value`. A text that is one reference and nothing else keeps the type of what it means. */
export function resolveReferences(value: unknown, results: Results): unknown {
  if (typeof value === 'string') return resolveText(value, results)
  if (Array.isArray(value)) return value.map((entry) => resolveReferences(entry, results))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolveReferences(entry, results)]))
}

/** The value at a dotted path; list entries by number. `undefined` where there is none. */
export function getPath(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null) return undefined
    if (Array.isArray(inner) && key === 'length') return inner.length
    return Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined
  }, value)
}

/** Every reference in `value`, as written and with the id of the step it means. */
export function findReferences(value: unknown): { readonly text: string; readonly id: string }[] {
  if (typeof value === 'string') {
    return [...value.matchAll(REFERENCE)].map(([text, path = '']) => ({ text, id: path.trim().split('.')[0] ?? '' }))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(findReferences)
}

const REFERENCE = /\$\{([^{}]+)\}/g

function resolveText(text: string, results: Results): unknown {
  const whole = /^\$\{([^{}]+)\}$/.exec(text)?.[1]
  if (whole !== undefined) return resolvePath(whole, results)
  return text.replace(REFERENCE, (_, path: string) => String(resolvePath(path, results)))
}

function resolvePath(path: string, results: Results): unknown {
  const [id = '', ...rest] = path.trim().split('.')
  const found = results.has(id)
    ? rest.length === 0
      ? results.get(id)
      : getPath(results.get(id), rest.join('.'))
    : undefined
  if (found !== undefined) return found
  const why = results.has(id) ? `its result has no ${rest.join('.')}` : 'no earlier step is called so'
  throw new UnknownReferenceError(`\${${path}}: ${why}.`)
}
