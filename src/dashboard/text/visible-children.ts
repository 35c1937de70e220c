// Texts of merchants may contain marks that reverse the digits after them.
import { sanitizeText } from '../../domain/visible-text.ts'

/** Returns the children of an element, without escape sequences and invisible characters in their texts. */
export function visibleChildren<T>(children: T): T {
  if (typeof children === 'string') return sanitizeText(children) as T
  return Array.isArray(children) ? (children.map(visibleChildren) as T) : children
}
