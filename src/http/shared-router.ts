// A router of Hono that parses its paths once for all sandboxes of a process, because parsing is slow.
import { METHOD_NAME_ALL, type Router } from 'hono/router'
import { buildInitParams, PreparedRegExpRouter } from 'hono/router/reg-exp-router'

type Route<T> = readonly [method: string, path: string, handler: T]

/** The last parsed paths. All sandboxes have the same ones. */
let parsed: { readonly key: string; readonly params: ReturnType<typeof buildInitParams> } | undefined

/** Returns a router that parses its paths when it gets the first request. That request throws if paths overlap. */
export function createSharedRouter<T>(): Router<T> {
  const routes: Route<T>[] = []
  let prepared: Router<T> | undefined
  return {
    name: 'SharedRouter',
    add(method, path, handler) {
      if (method === METHOD_NAME_ALL || prepared !== undefined)
        throw new Error(`The route ${method} ${path} must have a method, and must be added before the first request.`)
      routes.push([method, path, handler])
    },
    match(method, path) {
      prepared ??= prepareRouter(routes)
      return prepared.match(method, path)
    },
  }
}

function prepareRouter<T>(routes: readonly Route<T>[]): Router<T> {
  const paths = [...new Set(routes.map(([, path]) => path))]
  const key = paths.join('\n')
  if (parsed?.key !== key) parsed = { key, params: buildInitParams({ paths }) }
  const [matchers, places] = parsed.params
  // The router adds a copy for each method, so the parsed paths contain no handlers.
  const router = new PreparedRegExpRouter<T>({ ...matchers } as Prepared<T>, places)
  for (const route of routes) router.add(...route)
  return router
}

type Prepared<T> = ConstructorParameters<typeof PreparedRegExpRouter<T>>[0]
