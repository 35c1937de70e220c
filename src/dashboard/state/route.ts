// The address of a view: `ui/<view>/<id>?<parameters>`, relative to the root of the server.

export interface Route {
  readonly view: string
  /** The object that is open. Empty: none. */
  readonly id: string
  /** The state of a list: search, filters and order. */
  readonly query: Readonly<Record<string, string>>
}

/** @param root the path of the server, with a slash at its end */
export function parseRoute(path: string, search: string, root: string): Route {
  const [, view = '', id = ''] = path.slice(root.length).split('/')
  return { view, id: decode(id), query: Object.fromEntries(new URLSearchParams(search)) }
}

export function formatRoute({ view, id, query }: Route, root: string): string {
  const parts = ['ui', view, ...(id === '' ? [] : [encodeURIComponent(id)])]
  const given = Object.entries(query).filter(([, value]) => value !== '')
  const search = new URLSearchParams(given).toString()
  return `${root}${parts.join('/')}${search === '' ? '' : `?${search}`}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
