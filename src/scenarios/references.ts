// Resolves references such as `${pay.payment.id}` to results of earlier steps.
import { getPath } from '../domain/json-values.ts'

/** The results of the steps so far, by id. */
export type Results = ReadonlyMap<string, unknown>

/** A step refers to a step or a field that does not exist. */
export class UnknownReferenceError extends Error {
  override readonly name = 'UnknownReferenceError'
}

/** Replaces all references in `value`. A string that is exactly one reference becomes the value, with its type. */
export function resolveReferences(value: unknown, results: Results): unknown {
  if (typeof value === 'string') return resolveText(value, results)
  if (Array.isArray(value)) return value.map((entry) => resolveReferences(entry, results))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolveReferences(entry, results)]))
}

/** Returns every reference in `value`: its text and the id of its step. */
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
  const [, id = '', rest = ''] = /^([^.]*)\.?(.*)$/s.exec(path.trim()) ?? []
  const found = rest === '' ? results.get(id) : getPath(results.get(id), rest)
  if (found !== undefined) return found
  const problem = results.has(id) ? `the result of ${id} has no ${rest}` : `no earlier step has the id ${id}`
  throw new UnknownReferenceError(`\${${path}}: ${problem}.`)
}
