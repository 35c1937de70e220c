// Acts as a buyer's browser: gets a page, follows redirects and keeps cookies.
import type { FetchLike, FetchResponse } from '../client/fetch-like.ts'
import { parsedUrl } from '../domain/http-url.ts'
import { readText } from '../receiver-client/response-body.ts'
import type { Page } from './page.ts'

const MAX_REDIRECTS = 10
/** The largest size of a page, in bytes. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024
const BROWSER = {
  Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'User-Agent': 'Mozilla/5.0 (compatible; psp-audit)',
}

export interface VisitOptions {
  readonly fetch: FetchLike
  /** Headers that are sent only to the host of the first address. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly signal: AbortSignal
}

/** @throws the error of `fetch`, or an error if the page cannot be read */
export async function visit(address: string, { fetch, headers, signal }: VisitOptions): Promise<Omit<Page, 'sentIds'>> {
  const jars = new Map<string, Map<string, string>>()
  let url = new URL(address)
  const { host } = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    const reply = await fetch(url.href, {
      method: 'GET',
      headers: { ...BROWSER, ...cookieHeader(jar), ...(url.host === host ? Object.fromEntries(headers) : {}) },
      redirect: 'manual',
      signal,
    })
    keepCookies(jar, reply)
    const text = await readText(reply, MAX_PAGE_BYTES)
    const next = nextAddress(reply, url)
    if (next === undefined) return { status: reply.status, path: url.pathname, text }
    url = next
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`)
}

function nextAddress({ status, headers }: FetchResponse, from: URL): URL | undefined {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === null) return undefined
  const next = parsedUrl(location, from.href)
  return next !== undefined && /^https?:$/.test(next.protocol) ? next : undefined
}

function cookieHeader(jar: ReadonlyMap<string, string>): { Cookie?: string } {
  return jar.size === 0 ? {} : { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }
}

/** `fetch` joins several `Set-Cookie` fields with commas, which also occur in their dates. */
function keepCookies(jar: Map<string, string>, { headers }: FetchResponse): void {
  for (const cookie of headers.get('set-cookie')?.split(/,\s*(?=[^;,=\s]+=)/) ?? []) {
    const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(cookie) ?? []
    if (name !== undefined && value !== undefined) jar.set(name, value.trim())
  }
}
