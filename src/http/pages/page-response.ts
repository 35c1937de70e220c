// Responses of the pages: HTML with a strict Content-Security-Policy, redirects, and JSON for the script.
import { replaceControls } from '../../domain/characters.ts'
import { type AppContext, header } from '../app-env.ts'
import { JSON_HEADERS, log } from '../respond.ts'
import type { Services } from '../services.ts'
import type { Html } from './views/page-view.ts'

/** Referrer-Policy is `same-origin`, because with `no-referrer` browsers omit the origin of the page's forms. */
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

/** The policy of the dashboard. Its script never parses HTML, so no text of a merchant can become an element. */
export const DASHBOARD_POLICY = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
} as const

/** A response as a value, which is logged and sent when the commits it is based on are written. */
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

/** Redirects with 303, so the next request is a GET after any method. */
export function redirectTo(location: string): PageResponse {
  return {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' },
    body: null,
  }
}

/** A response for the page's script. */
export function jsonResponse(status: number, body: unknown): PageResponse {
  return { status, headers: JSON_HEADERS, body: JSON.stringify(body) }
}

export function sendPage(c: AppContext, services: Services, { status, headers, body }: PageResponse): Response {
  log(c, services, { status })
  return new Response(body, { status, headers })
}

/** Whether the request opens the page, as from a browser or curl. A prefetch or a preview does not. */
export function isPageVisit(c: AppContext): boolean {
  if (c.req.method !== 'GET') return false
  const purpose = header(c, 'sec-purpose') ?? header(c, 'purpose') ?? header(c, 'x-moz') ?? ''
  return acceptsHtml(c) && !/prefetch|prerender|preview/i.test(purpose)
}

/** A client without an Accept header accepts any type. */
export function acceptsHtml(c: AppContext): boolean {
  return /\btext\/(html|\*)|\*\/\*|^$/i.test(header(c, 'accept') ?? '')
}
