// Webhook handlers in other frameworks and languages, each a program that prints its port.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Framework } from '../../src/domain/remediation.ts'

export const SECRET = 'whs_frameworks_secret'

const ROOT = new URL('../../', import.meta.url)
const PYTHON = process.env['PSP_PYTHON'] ?? 'python3'
/** The first start compiles, on a machine that may be busy. */
const START_TIMEOUT = 150_000

type Kind = 'node' | 'python' | 'php' | 'go'

interface Program {
  readonly kind: Kind
  readonly file: string
  /** The package that the program needs; of Python, its module. */
  readonly needs?: string
}

const PROGRAMS: { readonly [name in Framework]: Program } = {
  Express: { kind: 'node', file: 'express.mjs', needs: 'express' },
  Fastify: { kind: 'node', file: 'fastify.mjs', needs: 'fastify' },
  Hono: { kind: 'node', file: 'hono.mjs', needs: 'hono' },
  Flask: { kind: 'python', file: 'flask.py', needs: 'flask' },
  FastAPI: { kind: 'python', file: 'fastapi.py', needs: 'fastapi, uvicorn' },
  Django: { kind: 'python', file: 'django.py', needs: 'django' },
  PHP: { kind: 'php', file: 'handler.php' },
  Go: { kind: 'go', file: 'main.go' },
}

const VERIFIERS: { readonly [kind in Kind]: { readonly file: string; readonly code: RegExp } } = {
  node: { file: 'verify.mjs', code: /^[\s\S]*?(?=\nconst \{ createInterface)/ },
  python: { file: 'verify.py', code: /^[\s\S]*?(?=\n# Each line)/ },
  php: { file: 'verify.php', code: /^[\s\S]*?(?=\n\/\/ Each line)/ },
  go: { file: 'verify.go', code: /func Verify[\s\S]*?\n\}\n/ },
}

/** Why the program cannot run here, such as `flask is not installed`. */
export async function missing(framework: Framework): Promise<string | undefined> {
  const { kind, needs = '' } = PROGRAMS[framework]
  const [command, ...args] = {
    node: [process.execPath, '--input-type=module', '-e', `import.meta.resolve('${needs}')`],
    python: [PYTHON, '-c', `import ${needs}`],
    php: ['php', '--version'],
    go: ['go', 'version'],
  }[kind] as [string, ...string[]]
  const { failed } = await execa(command, args, { cwd: ROOT, reject: false })
  return failed ? `${needs === '' ? kind : needs} is not installed` : undefined
}

export interface Options {
  /** The code that takes the body. */
  readonly rawBody: string
  /** Code in front of the route. */
  readonly before?: string
}

/** Starts the program of the framework. */
export async function startHandler(framework: Framework, { rawBody, before = '' }: Options) {
  const { kind, file } = PROGRAMS[framework]
  const folder = mkdtempSync(join(tmpdir(), 'psp-framework-'))
  const text = readFileSync(new URL(`apps/${file}`, import.meta.url), 'utf8')
    .replace(/(\/\* |# )VERIFY( \*\/)?/, () => verifier(kind))
    .replace('/* BEFORE */', () => before)
    .replace(/\/\* RAW_BODY \*\/( undefined)?|\bRAW_BODY\b/, () => rawBody)
  const path = join(folder, file.replace(/^(?=flask|fastapi|django)/, 'app_'))
  writeFileSync(path, text)
  const [command, args] = await commandOf(kind, path, text, folder)
  const child = start(command, args)
  const port = await portOf(child)
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    async stop() {
      child.kill('SIGKILL')
      await child
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function start(command: string, args: readonly string[]) {
  return execa(command, args, { cwd: ROOT, env: { SECRET }, all: true, reject: false, buffer: false, stdin: 'ignore' })
}

function verifier(kind: Kind): string {
  const { file, code } = VERIFIERS[kind]
  const text = code.exec(readFileSync(new URL(`examples/verify/${file}`, ROOT), 'utf8'))?.[0]
  if (text === undefined) throw new Error(`examples/verify/${file} has another form.`)
  return text
}

async function commandOf(kind: Kind, path: string, text: string, folder: string): Promise<[string, string[]]> {
  switch (kind) {
    // From the text, so that packages are found from the root of the project.
    case 'node':
      return [process.execPath, ['--input-type=module', '-e', text]]
    case 'python':
      return [PYTHON, [path]]
    case 'php':
      return ['php', ['-S', '127.0.0.1:0', path]]
    case 'go': {
      const program = join(folder, 'handler')
      await execa('go', ['build', '-o', program, path], { cwd: folder, timeout: START_TIMEOUT })
      return [program, []]
    }
  }
}

/** Reads the output to its end, because a program with a full pipe stops. */
function portOf(child: ReturnType<typeof start>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.all.on('data', (part: Buffer) => {
      text += part.toString()
      const port = /(?:PORT |Server \(http:\/\/127\.0\.0\.1:)(\d+)/.exec(text)?.[1]
      if (port !== undefined) resolve(port)
    })
    child.all.on('end', () => reject(new Error(`The program ended before it listened: ${text}`)))
  })
}
