// The page's own script and looks, as files: the Content-Security-Policy allows nothing else.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'

export const ASSETS = '/pay/assets'

const TYPES = {
  'page.css': 'text/css; charset=utf-8',
  'controls.css': 'text/css; charset=utf-8',
  'summary.css': 'text/css; charset=utf-8',
  'steps.css': 'text/css; charset=utf-8',
  'panel.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'card.js': 'text/javascript; charset=utf-8',
} as const

export type AssetName = keyof typeof TYPES

/** Mounts them. They are read when first asked for: a sandbox that shows no page reads nothing. */
export function mountAssets(app: Hono<AppEnv>): void {
  const loaded = new Map<AssetName, { readonly text: string; readonly etag: string }>()
  for (const name of Object.keys(TYPES) as AssetName[]) {
    app.get(`${ASSETS}/${name}`, (c) => {
      const asset = loaded.get(name) ?? load(name)
      loaded.set(name, asset)
      const headers = {
        'Content-Type': TYPES[name],
        'Cache-Control': 'no-cache',
        ETag: asset.etag,
        'X-Content-Type-Options': 'nosniff',
      }
      if (c.req.header('if-none-match') === asset.etag) return new Response(null, { status: 304, headers })
      return new Response(asset.text, { headers })
    })
  }
}

function load(name: AssetName) {
  const text = readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}
