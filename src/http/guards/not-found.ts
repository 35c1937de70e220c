// The first check: the path exists (404) and has the method (405 with Allow).
import type { Hono } from 'hono'
import { type RefusalError, refuse } from '../../domain/errors.ts'
import type { AppContext, AppEnv } from '../app-env.ts'
import { type KnownRoute, pathSuggestion } from './path-suggestions.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Returns the error for a request without a handler. The router knows the methods of the path.
 * @param known routes that may be suggested to the caller
 */
export function unknownRouteError(app: Hono<AppEnv>, c: AppContext, known: readonly KnownRoute[]): RefusalError {
  const { method, path } = c.req
  const allowed = METHODS.filter((known) => app.router.match(known, path)[0].length > 0)
  // A handler matched but passed the request on, so nothing exists at this path.
  if (allowed.length === 0 || allowed.some((known) => known === method)) {
    const hint =
      slashHint(app, method, path) ||
      emptyIdHint(app, method, path, known) ||
      rootHint(path) ||
      (path === '/health' ? '' : healthHint(path)) ||
      pathSuggestion(method, path, known) ||
      documentHint(path, known)
    return refuse('not_found', `There is nothing at ${path.slice(0, 200)}.${hint}`)
  }
  const allow: string[] = [...allowed]
  if (allowed.includes('GET')) allow.splice(1, 0, 'HEAD')
  const list = allow.join(', ')
  return refuse('method_not_allowed', `${method} is not allowed here. Allowed: ${list}.`, { Allow: list })
}

/** Two slashes in a row are often a sign of an empty variable in the client's code. */
function emptyIdHint(app: Hono<AppEnv>, method: string, path: string, known: readonly KnownRoute[]): string {
  if (!path.includes('//')) return ''
  const named = path.replaceAll('//', '/{id}/')
  if (app.router.match(method, named)[0].length > 0) return ` The id is empty: ${named.slice(0, 200)}.`
  const near = pathSuggestion(method, named, known)
  return near.includes('{id}') ? ` The id is empty.${near}` : ''
}

function rootHint(path: string): string {
  if (/^\/pay\/?$/i.test(path)) return " A payment's page is at /pay/{payment_id}."
  const isRoot = /^\/*((api|v\d+|public)(\/+|$))*$/i.test(path)
  return isRoot ? ' The API is at /v1/public; GET /openapi.json describes it.' : ''
}

function documentHint(path: string, known: readonly KnownRoute[]): string {
  const document = /^\/+_psp\//i.test(path) ? '/_psp/openapi.json' : '/openapi.json'
  const isOfApi = /^\/+(api|v\d+|public|_psp)\//i.test(path) && known.some((route) => route.path === document)
  return isOfApi ? ` GET ${document} lists the paths.` : ''
}

/** Paths at which other servers have their health check, with the prefixes that people put in front of them. */
const HEALTH_PATH =
  /^(\/v1(\/public)?|\/api(\/v\d+)?|\/_psp|\/actuator|\/-)?\/(_?health(z|y|-?check)?|ready(z)?|live(z)?|alive|ping|status|up)(\/(live|ready))?(ness)?\/?$/i

/** Returns whether a path that does not exist looks like an attempt to find the health check. */
export function seeksHealth(path: string): boolean {
  return (HEALTH_PATH.test(path) && path !== '/_psp/health') || path === '/_psp' || path === '/_psp/'
}

function healthHint(path: string): string {
  return seeksHealth(path) ? ' GET /_psp/health reports whether the server is ready.' : ''
}

function slashHint(app: Hono<AppEnv>, method: string, path: string): string {
  if (path.length < 2 || !path.endsWith('/')) return ''
  const known = app.router.match(method, path.slice(0, -1))[0].length > 0
  return known ? ' Leave out the slash at the end.' : ''
}
