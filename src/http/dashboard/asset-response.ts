// Serves the scripts and the style sheet of the dashboard at `/assets/…`. They contain no data of the sandbox.
import type { AppContext } from '../app-env.ts'
import { acceptsEncoding, contentTypeOf } from '../static-file.ts'
import type { DashboardFiles } from './dashboard-files.ts'

const PREFIX = '/assets/'

/** The compressed variants, the smallest first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

/** Returns the response for a file of the dashboard, or `undefined` if the request is for something else. */
export function assetResponse(c: AppContext, files: DashboardFiles): Response | undefined {
  const { method, path } = c.req
  if (!path.startsWith(PREFIX) || (method !== 'GET' && method !== 'HEAD')) return undefined
  const name = path.slice(PREFIX.length)
  // Only names of the manifest are read, so no path can leave the directory.
  if (files.manifest()?.files.includes(name) !== true) return undefined
  const encoding = ENCODINGS.find((each) => acceptsEncoding(c, each.name))
  const bytes = files.read(`${name}${encoding?.suffix ?? ''}`)
  const headers = {
    'Content-Type': contentTypeOf(name),
    // The name contains a hash of the content.
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
    ...(encoding === undefined ? {} : { 'Content-Encoding': encoding.name }),
  }
  return new Response(method === 'HEAD' ? null : bytes, { headers })
}
