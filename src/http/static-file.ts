// The type and the encoding of a file that is sent to a browser.
import { extname } from 'node:path'
import { parseAccept } from 'hono/utils/accept'
import { type AppContext, header } from './app-env.ts'

const CONTENT_TYPES: { readonly [extension: string]: string } = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}

export function contentTypeOf(file: string): string {
  return CONTENT_TYPES[extname(file)] ?? 'application/octet-stream'
}

/** Returns whether the client accepts a response in this content coding. */
export function acceptsEncoding(c: AppContext, coding: 'br' | 'gzip'): boolean {
  return parseAccept(header(c, 'accept-encoding') ?? '').some(({ type, q }) => type === coding && q > 0)
}
