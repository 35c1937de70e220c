// The programs in README and guides compile in a strict project.
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { CHECKS } from '../../src/audit/checks.ts'
import { FIXES } from '../../src/domain/remediation.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const TSC = join(ROOT, 'node_modules/@typescript/native/bin/tsc')
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs/guides'))
    .sort()
    .map((name) => `docs/guides/${name}`),
]

const BUILT_TYPES = 'dist/types/src'

/** Declares the variables that the snippets of handlers assume. */
const AROUND = `
declare const rawBody: Buffer
declare const request: import('node:http').IncomingMessage
declare const response: import('node:http').ServerResponse
`

const folder = mkdtempSync(join(tmpdir(), 'psp-snippets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('the programs of README and guides compile under strict', async () => {
  const files = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(ts|js)\n([\s\S]*?)^```/gm)].map(
      ([, kind, code = ''], at) => {
        const file = `${page.replaceAll('/', '-')}-${at + 1}.${kind}`
        writeFileSync(join(folder, file), returning(code))
        return file
      },
    ),
  )
  expect(files.length).toBeGreaterThan(8)
  writeFileSync(join(folder, 'around.d.ts'), AROUND)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const name of ['listen.js', 'shop.js']) cpSync(join(ROOT, 'examples/shop', name), join(folder, name))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const isBuilt = isBuildCurrent()
  const from = (name: string) => [join(ROOT, isBuilt ? `${BUILT_TYPES}/${name}/index.d.ts` : `src/${name}/index.ts`)]
  const compilerOptions = {
    strict: true,
    noEmit: true,
    checkJs: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    jsx: 'react-jsx',
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    paths: {
      'psp-sandbox': from('.'),
      ...Object.fromEntries(
        ['testing', 'msw', 'webhooks', 'vitest'].map((name) => [`psp-sandbox/${name}`, from(name)]),
      ),
    },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [...files, 'around.d.ts'] }))
  const { stdout } = await promisify(execFile)(process.execPath, [TSC, '-p', folder], { cwd: folder }).catch(
    (failed) => failed,
  )
  expect(stdout.split('\n').filter(isFault)).toEqual([])
})

/** Returns whether the build is newer than each source file. Its types take a fifth of the time that the sources take. */
function isBuildCurrent(): boolean {
  const built = join(ROOT, BUILT_TYPES, 'index.d.ts')
  if (!existsSync(built)) return false
  const { mtimeMs } = statSync(built)
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  return sources.every((name) => statSync(join(ROOT, 'src', name)).mtimeMs <= mtimeMs)
}

/** Ignores errors that untyped JavaScript causes: implicit any, and the port in `server.address()`. */
function isFault(line: string): boolean {
  return (
    /^(README|docs).*\.(ts|js)\(/.test(line) &&
    !/\.js\(.* error (TS70\d\d:|TS2531: Object is possibly|TS2339: Property 'port')/.test(line)
  )
}

/** Wraps a snippet with `return` into a function. */
function returning(code: string): string {
  if (!/^\s*if .*return /m.test(code) || /^(export )?(async )?function /m.test(code)) return code
  const imports = code.match(/^import .*$/gm) ?? []
  return `${imports.join('\n')}\nexport function handler() {\n${code.replaceAll(/^import .*$/gm, '')}}\n`
}

it('each example of a body parser of Express has the limit that webhooks need', () => {
  const shown = ['README.md', ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })]
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(ROOT, name === 'README.md' ? name : `docs/${name}`), 'utf8'))
    .concat(JSON.stringify(FIXES), ...CHECKS.map(({ fix }) => fix))
    .flatMap((text) => [...text.matchAll(/express\.raw\(.*?\)/g)].map(([call]) => call))
  expect(shown.length).toBeGreaterThan(2)
  expect(shown.filter((call) => !/limit: ["'\\]+2mb/.test(call))).toEqual([])
})
