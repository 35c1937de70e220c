// Suggests the path that a caller probably meant, which may differ in prefix, plural, case, slashes or a typo.
import { closestName, typoCount } from '../../domain/closest-name.ts'

/** A route that may be suggested. */
export interface KnownRoute {
  readonly method: string
  /** With parameters: `/v1/public/payments/:id`. */
  readonly path: string
}

/** Leading segments that people add to a path or leave out. */
const PREFIX = /^(api|v\d+|public|_?psp)$/i

/** Paths of other tools and services, without their prefix, with the route that the caller probably means. */
const ALIASES: { readonly [core: string]: KnownRoute } = {
  refund: { method: 'POST', path: '/v1/public/payments/{id}/refund' },
  ...Object.fromEntries(
    ['openapi', 'swagger', 'api-doc', 'doc', 'redoc'].map((name) => [name, { method: 'GET', path: '/openapi.json' }]),
  ),
}

/** Returns ` Did you mean …?` with the routes that are nearest to the path, or an empty string. */
export function pathSuggestion(method: string, path: string, routes: readonly KnownRoute[]): string {
  const asked = { method: method === 'HEAD' ? 'GET' : method, ...split(path) }
  if (asked.core.length === 0) return ''
  const found = closestRoutes(asked, routes)
  const [first] = found
  if (first === undefined) return ''
  const meant =
    first.method === asked.method ? first.path : found.map((route) => `${route.method} ${route.path}`).join(' or ')
  return ` Did you mean ${meant.slice(0, 400)}?`
}

interface RequestedPath {
  readonly method: string
  /** The leading segments that match {@link PREFIX}, in lower case. */
  readonly prefix: readonly string[]
  /** The other segments. */
  readonly core: readonly string[]
}

function split(path: string): Pick<RequestedPath, 'prefix' | 'core'> {
  const segments = path.split('/').filter((segment) => segment !== '')
  const start = segments.findIndex((segment) => !PREFIX.test(segment))
  const cut = start < 0 ? segments.length : start
  return { prefix: segments.slice(0, cut).map((segment) => segment.toLowerCase()), core: segments.slice(cut) }
}

/**
 * Returns the nearest route, or no route if none is near. If the nearest route has another method, also returns the
 * nearest one of the other API (public or control) with the method of the request.
 */
function closestRoutes(asked: RequestedPath, routes: readonly KnownRoute[]): KnownRoute[] {
  const alias = ALIASES[asked.core.map(normalize).join('/')]
  const candidates = routes.flatMap((route) => candidateOf(asked, route))
  const least = Math.min(...candidates.map(({ typos }) => typos))
  const near = candidates.filter(({ typos }) => typos === least).sort((a, b) => a.rank - b.rank)
  const [first] = near
  if (alias !== undefined && (first === undefined || first.method !== asked.method)) return [alias]
  if (first === undefined) return []
  const sameApi = near.filter(({ rank }) => rank === first.rank)
  const nearestRoute = sameApi.find((route) => route.method === asked.method) ?? first
  if (nearestRoute.method === asked.method) return [nearestRoute]
  const other = near.find((route) => route.method === asked.method)
  return other === undefined ? [nearestRoute] : [nearestRoute, other]
}

interface Candidate extends KnownRoute {
  /** The number of typos in the path, and of segments that are missing at its end. */
  readonly typos: number
  /** Lower is better. The API that the prefix of the requested path names comes first, then the public API. */
  readonly rank: number
}

function candidateOf(asked: RequestedPath, { method, path }: KnownRoute): Candidate[] {
  const known = split(path)
  const rest = known.core.slice(asked.core.length)
  // A shorter path may mean a longer one (`/banks` for `/banks/sbp`), but not if a parameter is missing.
  if (rest.some((segment) => segment.startsWith(':')) || asked.core.length > known.core.length) return []
  let typos = rest.length
  for (const [i, segment] of asked.core.entries()) {
    const far = typosIn(segment, known.core[i] as string)
    if (far === undefined) return []
    typos += far
  }
  const filled = path.split('/')
  for (const [i, segment] of asked.core.entries()) {
    const at = filled.length - known.core.length + i
    if (filled[at]?.startsWith(':')) filled[at] = segment
  }
  return [{ method, path: filled.join('/'), typos, rank: rankOf(asked.prefix, known.prefix) }]
}

function typosIn(given: string, known: string): number | undefined {
  if (known.startsWith(':')) return 0
  const [one, other] = [normalize(given), normalize(known)]
  return closestName(one, [other]) === undefined ? undefined : typoCount(one, other)
}

/** Ignores case, a plural s and the file extension. */
function normalize(segment: string): string {
  return segment
    .toLowerCase()
    .replace(/\.(json|ya?ml|html?)$/, '')
    .replace(/s$/, '')
}

function rankOf(asked: readonly string[], known: readonly string[]): number {
  const isControl = known.includes('_psp')
  if (isControl) return asked.some((segment) => segment.endsWith('psp')) ? 0 : 3
  // The public API has the same routes with and without `/api`, so the suggestion prefers the caller's form.
  return known.includes('api') === asked.includes('api') ? 1 : 2
}
