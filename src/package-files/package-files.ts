// Reads the files that belong to psp. In the executable they are assets, and their URLs have the scheme `psp:`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** The part of `node:sea` that reads the assets of an executable. */
export interface Assets {
  getAssetKeys(): string[]
  getRawAsset(key: string): ArrayBuffer
}

const SCHEME = 'psp:'

/** @param url resolved against `import.meta.url` of a module of psp */
export function readPackageFile(url: URL, assets = assetsOf(url)): Buffer<ArrayBuffer> {
  // A copy, because the memory of an asset is read-only.
  return assets === undefined ? readFileSync(url) : Buffer.from(new Uint8Array(assets.getRawAsset(keyOf(url))))
}

export function hasPackageFile(url: URL, assets = assetsOf(url)): boolean {
  return assets === undefined ? existsSync(url) : assets.getAssetKeys().includes(keyOf(url))
}

/**
 * Returns the names of the files directly in a folder.
 * @param url ends with a slash
 */
export function listPackageFolder(url: URL, assets = assetsOf(url)): string[] {
  if (assets === undefined) return readdirSync(url)
  const folder = keyOf(url)
  return assets
    .getAssetKeys()
    .filter((key) => key.startsWith(folder) && !key.slice(folder.length).includes('/'))
    .map((key) => key.slice(folder.length))
}

/** Starts a thread with a built module of psp. */
export function startPackageThread(url: URL, options: WorkerOptions, assets = assetsOf(url)): Worker {
  if (assets === undefined) return new Worker(url, options)
  return new Worker(readPackageFile(url, assets).toString(), { ...options, eval: true })
}

function keyOf(url: URL): string {
  return url.pathname.slice(1)
}

/** The scheme decides, because an executable that a user builds with this library does not have these assets. */
function assetsOf(url: URL): Assets | undefined {
  return url.protocol === SCHEME ? (process.getBuiltinModule('node:sea') as unknown as Assets) : undefined
}
