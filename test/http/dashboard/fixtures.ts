import type { DashboardFiles } from '../../../src/http/dashboard/dashboard-files.ts'

/** A dashboard of two files. The compressed variants contain only their names. */
export const TWO_FILES: DashboardFiles = {
  manifest: () => ({
    script: 'main-AB.js',
    style: 'main-CD.css',
    preload: ['chunk-EF.js'],
    files: ['main-AB.js', 'main-CD.css', 'chunk-EF.js'],
  }),
  read: (name) => new Uint8Array(Buffer.from(`content of ${name}`)),
}

export const NOT_BUILT: DashboardFiles = { manifest: () => undefined, read: () => new Uint8Array() }
