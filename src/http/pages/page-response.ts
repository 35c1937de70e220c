// How the pages answer: HTML under a policy that lets nothing foreign in, or a way on.
import { replaceControls } from '../../domain/control-characters.ts'
import { type AppContext, header } from '../app-env.ts'
import { JSON_HEADERS, log } from '../respond.ts'
import type { Services } from '../services.ts'
import type { Html } from './views/page-view.ts'

/** `same-origin`: with `no-referrer` browsers would hide the origin of our own forms. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language',
} as const

/** What goes to the browser, as a value: it is logged and sent once it may leave. */
export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export async function htmlResponse(
  page: Html,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): Promise<PageResponse> {
  return {
    status,
    headers: { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8', ...more },
    body: replaceControls(String(await page)),
  }
}

/** 303: the next request is a GET, whatever this one was. */
export function redirectTo(location: string): PageResponse {
  return {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' },
    body: null,
  }
}

/** For the page's script. */
export function jsonResponse(status: number, body: unknown): PageResponse {
  return { status, headers: JSON_HEADERS, body: JSON.stringify(body) }
}

export function sendPage(c: AppContext, services: Services, { status, headers, body }: PageResponse): Response {
  log(c, services, { status })
  return new Response(body, { status, headers })
}

/** True where a page is opened: by a browser with or without a script, by curl too, but not merely fetched ahead. */
export function isPageVisit(c: AppContext): boolean {
  if (c.req.method !== 'GET') return false
  const purpose = header(c, 'sec-purpose') ?? header(c, 'purpose') ?? header(c, 'x-moz') ?? ''
  return /text\/html|\*\/\*|^$/.test(header(c, 'accept') ?? '') && !/prefetch|prerender|preview/i.test(purpose)
}
