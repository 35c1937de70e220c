// The options of esbuild that the package and the executable share.
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The commands without `psp --version`, which src/cli/main.ts prints alone. */
export const PROGRAM =
  "export { nodeHost } from './src/cli/host-process.ts'\nexport { runProgram } from './src/cli/program.ts'"

// Optional peers that the merchant installs. A second copy would not share handlers and tests.
const EXTERNAL = ['msw', 'vitest']

export const COMMON = {
  outbase: 'src',
  bundle: true,
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  external: EXTERNAL,
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  // Removes dead branches only. Names and lines stay in stack traces, and smaller files would not start faster.
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
}

export const COMMON_CJS = {
  ...COMMON,
  format: 'cjs',
  define: { ...COMMON.define, 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
}
