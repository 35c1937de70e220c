// Starts shops in other languages, each correct or with one planted bug.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { QUICK_JAVA, QUICK_JAVAC } from '../../e2e/clients/quick-java.ts'

export interface Shop {
  readonly name: string
  /** A command that fails if the language, or a package of it, is not installed. */
  readonly needs: readonly [command: string, ...args: string[]]
  /** The values of the variable BUG. */
  readonly bugs: readonly string[]
  /** Compiles the shop into the folder. Returns the command that runs it. */
  build(folder: string): Promise<readonly [command: string, ...args: string[]]>
  readonly env?: (folder: string) => { readonly [name: string]: string }
}

const PYTHON = process.env['PSP_PYTHON'] ?? 'python3'
const BUILD_TIMEOUT = 150_000

export function createShops(sources: URL): readonly Shop[] {
  const source = (name: string) => fileURLToPath(new URL(name, sources))
  return [
    {
      name: 'Express',
      needs: [process.execPath, '--input-type=module', '-e', "import.meta.resolve('express')"],
      bugs: ['credits each copy', 'shows the last status', 'writes back an old row'],
      build: async () => [process.execPath, source('express.mjs')],
    },
    {
      name: 'Flask with SQLite',
      needs: [PYTHON, '-c', 'import flask'],
      bugs: ['inserts after a check', 'ignores early refunds', 'subtracts the total each time'],
      build: async () => [PYTHON, source('flask_shop.py')],
    },
    {
      name: 'PHP',
      needs: ['php', '--version'],
      bugs: ['counts failed refunds', 'fails on a cancelled payment', 'reads and writes without a lock'],
      build: async () => ['php', '-S', '127.0.0.1:0', source('shop.php')],
      env: (folder) => ({ SHOP_FILE: join(folder, 'shop.json'), PHP_CLI_SERVER_WORKERS: '4' }),
    },
    {
      name: 'Go',
      needs: ['go', 'version'],
      bugs: ['knows events by their payment', 'lets an expired payment close a paid order', 'subtracts failed payouts'],
      async build(folder) {
        const program = join(folder, 'shop')
        await execa('go', ['build', '-o', program, source('main.go')], { timeout: BUILD_TIMEOUT })
        return [program]
      },
    },
    {
      name: 'Java',
      needs: ['javac', '-version'],
      bugs: ['rounds refunds to whole roubles', 'refunds the newest order', 'responds 409 to a known event'],
      async build(folder) {
        await execa('javac', [...QUICK_JAVAC, '-d', folder, source('Shop.java')], { timeout: BUILD_TIMEOUT })
        return ['java', ...QUICK_JAVA, '-cp', folder, 'Shop']
      },
    },
  ]
}

export async function isInstalled({ needs: [command, ...args] }: Shop): Promise<boolean> {
  return !(await execa(command, args, { reject: false })).failed
}

export interface BuiltShop {
  /** Starts a fresh shop. Without a bug it is correct. */
  start(bug?: string): Promise<{ readonly url: string; stop(): Promise<void> }>
  remove(): void
}

export async function buildShop(shop: Shop): Promise<BuiltShop> {
  const folder = mkdtempSync(join(tmpdir(), 'psp-shop-'))
  const [command, ...args] = await shop.build(folder)
  return {
    async start(bug = '') {
      const data = mkdtempSync(join(folder, 'data-'))
      const env = { BUG: bug, ...shop.env?.(data) }
      // The group of the process, because PHP starts workers.
      const child = execa(command, args, {
        env,
        all: true,
        reject: false,
        buffer: false,
        stdin: 'ignore',
        detached: true,
      })
      const port = await portOf(child.all)
      return {
        url: `http://127.0.0.1:${port}`,
        async stop() {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
          await child
        },
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Reads the output to its end, because a program with a full pipe stops. */
function portOf(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    output.on('data', (part: Buffer) => {
      if (text.length < 10_000) text += part.toString()
      const port = /(?:PORT |Server \(http:\/\/127\.0\.0\.1:)(\d+)/.exec(text)?.[1]
      if (port !== undefined) resolve(port)
    })
    output.on('end', () => reject(new Error(`The shop ended before it listened: ${text}`)))
  })
}
