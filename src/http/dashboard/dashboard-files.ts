// The built files of the dashboard, `dist/dashboard`.
import { hasPackageFile, readPackageFile } from '../../package-files/package-files.ts'

export interface DashboardFiles {
  /** Returns the manifest, or `undefined` if the dashboard was not built. */
  manifest(): DashboardManifest | undefined
  /** Returns the bytes of a file of the manifest, or those of its compressed variant. */
  read(name: string): Uint8Array<ArrayBuffer>
}

/** Written by `scripts/build-dashboard.mjs`. File names contain a hash of the content. */
export interface DashboardManifest {
  /** The module that the page loads. */
  readonly script: string
  readonly style: string
  /** Modules that `script` imports at the start. */
  readonly preload: readonly string[]
  /** Every file that the server may send. Each also exists with the suffixes `.br` and `.gz`. */
  readonly files: readonly string[]
}

/** The path relative to this module. It is the same for the sources and for the bundles. */
const FOLDER = new URL('../../../dist/dashboard/', import.meta.url)

/** Reads the files from the package. Each file is read when a browser first requests it. */
export function dashboardOfPackage(folder: URL = FOLDER): DashboardFiles {
  let manifest: DashboardManifest | undefined
  const known = new Map<string, Uint8Array<ArrayBuffer>>()
  return {
    manifest() {
      const file = new URL('manifest.json', folder)
      if (manifest === undefined && hasPackageFile(file)) manifest = JSON.parse(readPackageFile(file).toString())
      return manifest
    },
    read(name) {
      const bytes = known.get(name) ?? readPackageFile(new URL(name, folder))
      known.set(name, bytes)
      return bytes
    },
  }
}
