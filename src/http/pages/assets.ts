// Serves the scripts, styles and font of the pages as files, because the Content-Security-Policy allows nothing inline.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Hono } from 'hono'
import { readPackageFile } from '../../package-files/package-files.ts'
import type { AppEnv } from '../app-env.ts'
import { acceptsEncoding, contentTypeOf } from '../static-file.ts'

const ASSETS = '/pay/assets'

/** The served files, each with its parts in order. */
const FILES: { readonly [name: string]: readonly string[] } = {
  'page.css': [
    'tokens.css',
    'frame.css',
    'summary.css',
    'controls.css',
    'card.css',
    'methods.css',
    'steps.css',
    'phone.css',
    'outcome.css',
    'panel.css',
    'panel-controls.css',
    'history.css',
    'home.css',
    'preferences.css',
  ],
  'page.js': ['page.js'],
  'banks.js': ['banks.js'],
  'card.js': ['card.js'],
  'panel.js': ['panel.js'],
  'copy.js': ['copy.js'],
  'expiry.js': ['expiry.js'],
  'inter.woff2': ['inter.woff2'],
}

/** Mounts the files. Each file is read on its first request, so a sandbox that shows no page reads no file. */
export function mountAssets(app: Hono<AppEnv>): void {
  for (const [name, parts] of Object.entries(FILES)) {
    const type = contentTypeOf(name)
    let asset: Asset | undefined
    app.get(`${ASSETS}/${name}`, (c) => {
      asset ??= load(parts, type.startsWith('text/'))
      const { plain, gzip } = asset
      const isZipped = gzip !== undefined && acceptsEncoding(c, 'gzip')
      const { bytes, etag } = isZipped ? gzip : plain
      const headers = {
        'Content-Type': type,
        'Cache-Control': 'no-cache',
        ETag: etag,
        'X-Content-Type-Options': 'nosniff',
        ...(gzip !== undefined && { Vary: 'Accept-Encoding' }),
        ...(isZipped && { 'Content-Encoding': 'gzip' }),
      }
      if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
      return new Response(bytes, { headers })
    })
  }
}

interface Asset {
  readonly plain: Representation
  /** Absent if the file is already compressed, such as a font. */
  readonly gzip: Representation | undefined
}

interface Representation {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
}

function load(parts: readonly string[], isText: boolean): Asset {
  const bytes = Buffer.concat(parts.map((part) => readPackageFile(new URL(`./assets/${part}`, import.meta.url))))
  return { plain: representation(bytes), gzip: isText ? representation(gzipSync(bytes)) : undefined }
}

function representation(bytes: Buffer<ArrayBuffer>): Representation {
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}
