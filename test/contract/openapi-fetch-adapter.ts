// Calls through a client for the OpenAPI document. openapi-fetch builds the path, headers and body, and reads the response.
import createClient from 'openapi-fetch'
import { expect } from 'vitest'
import { publicDocument } from '../../src/http/openapi/public-document.ts'
import { type Adapter, type OpenAdapter, openSandboxAdapter } from './adapter.ts'

interface Described {
  readonly template: string
  readonly parameters: Record<string, string>
  readonly query: Record<string, string>
}

const { paths, servers } = publicDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly servers: readonly { readonly url: string }[]
}

/** Calls that the document does not describe are sent directly to the sandbox. */
export const openOpenapiFetchAdapter: OpenAdapter = async () => {
  const adapter = await openSandboxAdapter()
  return {
    ...adapter,
    async fetch(path, init = {}) {
      // Try the longer URL first: `/api` before `/`.
      for (const { url } of servers.toReversed()) {
        const described = describedCall(init.method ?? 'GET', path, url === '/' ? '' : url)
        if (described !== undefined) return await callDescribed(adapter, url, described, init)
      }
      return adapter.fetch(path, init)
    },
  }
}

/** Returns the raw response, after checking that the client has read the same content. */
async function callDescribed(
  adapter: Adapter,
  server: string,
  described: Described,
  init: RequestInit,
): Promise<Response> {
  const { template, parameters, query } = described
  const { method = 'GET', headers, body, signal } = init
  const answers: Response[] = []
  const client = createClient<Record<string, Record<string, object>>>({
    baseUrl: `http://127.0.0.1:7770${server}`,
    fetch: (request) => adapter.fetch(new URL(request.url).pathname, request),
  })
  client.use({
    onResponse({ response }) {
      if (response.headers.get('content-type')?.startsWith('application/json')) answers.push(response.clone())
    },
  })
  const got = await client.request(method.toLowerCase() as never, template as never, {
    params: { path: parameters, query },
    headers: headers as Record<string, string>,
    ...(body == null ? {} : { body: body as never, bodySerializer: (given: unknown) => given as string }),
    ...(signal == null ? {} : { signal }),
    parseAs: template.endsWith('/events') ? 'stream' : 'json',
  })
  const [answer] = answers
  if (answer === undefined) return got.response
  if (method !== 'HEAD') expect(got.data ?? got.error).toEqual(await answer.clone().json())
  return answer
}

/** Returns the documented operation of a call below the given prefix. */
function describedCall(method: string, path: string, prefix: string): Described | undefined {
  if (!path.startsWith(prefix)) return undefined
  const [plain = '', search = ''] = path.slice(prefix.length).split('?')
  for (const [template, methods] of Object.entries(paths)) {
    if (methods[method === 'HEAD' ? 'get' : method.toLowerCase()] === undefined) continue
    const found = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(plain)
    if (found === null) continue
    try {
      const parameters = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)])
      return {
        template,
        parameters: Object.fromEntries(parameters),
        query: Object.fromEntries(new URLSearchParams(search)),
      }
    } catch {
      return undefined
    }
  }
  return undefined
}
