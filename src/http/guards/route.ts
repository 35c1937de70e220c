// First check: the path exists (404), and it knows the method (405 with Allow).
import type { Hono } from 'hono'
import { type Refusal, refuse } from '../../domain/errors.ts'
import type { AppContext, AppEnv } from '../app-env.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** What to answer where no handler took the request: the router itself is asked for the methods of the path. */
export function routeMissing(app: Hono<AppEnv>, c: AppContext): Refusal {
  const { method, path } = c.req
  const allowed = METHODS.filter((known) => app.router.match(known, path)[0].length > 0)
  // A handler was there and passed the request on: the path exists only in form.
  if (allowed.length === 0 || allowed.some((known) => known === method)) {
    return refuse(
      'not_found',
      `There is nothing at ${path.slice(0, 200)}.${slashHint(app, method, path) || rootHint(path) || prefixHint(app, method, path) || healthHint(path)}`,
    )
  }
  const allow: string[] = [...allowed]
  if (allowed.includes('GET')) allow.splice(1, 0, 'HEAD')
  const list = allow.join(', ')
  return refuse('method_not_allowed', `${method} is not allowed here. Allowed: ${list}.`, { Allow: list })
}

function rootHint(path: string): string {
  return path === '/' ? ' The API is at /v1/public; GET /openapi.json describes it.' : ''
}

/** Said of the API and of the control API: their prefixes are what is left out most. */
function prefixHint(app: Hono<AppEnv>, method: string, path: string): string {
  const meant = PREFIXES.map((prefix) => `${prefix}${path}`).find(
    (whole) => app.router.match(method, whole)[0].length > 0,
  )
  return meant === undefined ? '' : ` Did you mean ${meant.slice(0, 200)}?`
}

const PREFIXES = ['/v1/public', '/_psp', '/v1']

/** Paths at which other servers have their health check, with the prefixes that people put before them. */
const HEALTH_PATH =
  /^(\/v1(\/public)?|\/api(\/v\d+)?|\/_psp|\/actuator|\/-)?\/(_?health(z|y|-?check)?|ready(z)?|live(z)?|alive|ping|status|up)(\/(live|ready))?(ness)?\/?$/i

/** Returns whether a caller at a path that does not exist is looking for the health check. */
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
