// Text of merchants may contain invisible characters, such as a mark that reverses the digits after it.
import { sanitizeText } from '../../domain/visible-text.ts'

/** Returns the children of an element, without escape sequences and invisible characters in their text. */
export function visibleChildren<T>(children: T): T {
  if (typeof children === 'string') return sanitizeText(children) as T
  return Array.isArray(children) ? (children.map(visibleChildren) as T) : children
}
