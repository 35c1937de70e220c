// Every command of the guides by language, run in order in a fresh directory.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { QUICK_JAVA } from '../e2e/clients/quick-java.ts'
import { runs, TOOLS } from '../e2e/clients/tools.ts'
import { BIN } from '../e2e/helpers.ts'
import { reservedPort } from '../ports.ts'
import { KITS, needs, run, temporary } from './suite.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const PLACE_ORDER = /^curl .*\/orders /
const SERVER = /psp exec /

interface Guide {
  readonly name: string
  readonly kit: string
  readonly missing: string
  readonly isInstalled: boolean
  /** The tests in the README of the kit, by file. */
  readonly tests: Readonly<Record<string, RegExp>>
  readonly passed: RegExp
}

const GUIDES: readonly Guide[] = [
  {
    name: 'python',
    kit: 'Python',
    missing: 'python3',
    isInstalled: existsSync(join(TOOLS, 'kit-python/bin/pip')),
    tests: {
      'conftest.py': /```python\n# conftest\.py\n([\s\S]*?)```/,
      'test_orders.py': /```python\n# test_orders\.py\n([\s\S]*?)```/,
    },
    passed: /^3 passed/m,
  },
  {
    name: 'go',
    kit: 'Go',
    missing: 'go',
    isInstalled: runs('go', 'version'),
    tests: { 'orders_test.go': /```go\n([\s\S]*?)```/ },
    passed: /^ok /m,
  },
  {
    name: 'php',
    kit: 'PHP',
    missing: 'phpunit and composer',
    isInstalled: runs('phpunit', '--version') && runs('composer', '--version'),
    tests: { 'OrdersTest.php': /```php\n([\s\S]*?)```/ },
    passed: /^OK \(3 tests/m,
  },
  {
    name: 'java',
    kit: 'Java',
    missing: 'javac and mvn',
    isInstalled: runs('javac', '-version') && existsSync(join(TOOLS, 'kit-java')),
    tests: {},
    passed: /^/,
  },
]

function shellBlocks(page: string): string[] {
  const text = readFileSync(join(ROOT, 'docs/guides', `${page}.md`), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
}

/** Puts `psp` on the PATH, and returns the environment of the commands. */
function withPsp(folder: string): Record<string, string> {
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/psp'), `#!/bin/sh\nexec "${BIN}" "$@"\n`)
  chmodSync(join(folder, 'bin/psp'), 0o755)
  return {
    PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
    COMPOSER_ALLOW_SUPERUSER: '1',
    JAVA_TOOL_OPTIONS: QUICK_JAVA.join(' '),
  }
}

/** Starts a server in its own process group, which the end of the test stops. */
function startServer(line: string, cwd: string, env: Record<string, string>): ChildProcess {
  const options = { cwd, env: { HOME: homedir(), TMPDIR: tmpdir(), ...env }, detached: true, stdio: 'ignore' } as const
  const child = spawn('bash', ['-c', line], options)
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    process.kill(-Number(child.pid), 'SIGINT')
    await ended
  })
  return child
}

for (const { name, kit, missing, isInstalled, tests, passed } of GUIDES) {
  describe.skipIf(!isInstalled)(needs(kit, missing), () => {
    test(`the commands of docs/guides/${name}.md work in order`, async () => {
      const folder = temporary()
      const env = withPsp(folder)
      cpSync(join(KITS, name), join(folder, 'kits', name), { recursive: true })
      const readme = readFileSync(join(KITS, name, 'README.md'), 'utf8')
      for (const [file, code] of Object.entries(tests))
        writeFileSync(join(folder, file), String(code.exec(readme)?.[1]))
      const port = String(await reservedPort())
      let output = ''
      for (const block of shellBlocks(name)) {
        const line = block.trim().replaceAll('8000', port)
        if (SERVER.test(line)) startServer(line, folder, env)
        else if (PLACE_ORDER.test(line)) await orderIsPaid(line, folder, env)
        else output = await run('bash', ['-ec', offline(line)], folder, env)
      }
      expect(output).toMatch(passed)
    })
  })
}

/** Uses the installed packages instead of the registries. */
function offline(line: string): string {
  return line
    .replace(
      'python3 -m venv .venv',
      `${join(TOOLS, 'kit-python/bin/python')} -m venv --system-site-packages --without-pip .venv && echo ${join(TOOLS, 'kit-python')}/lib/python*/site-packages > "$(echo .venv/lib/python*/site-packages)/kit.pth"`,
    )
    .replace(
      '.venv/bin/pip install ./kits/python pytest fastapi uvicorn',
      '.venv/bin/python -m pip install -q --no-deps --no-build-isolation ./kits/python',
    )
    .replace('.venv/bin/pytest', '.venv/bin/python -m pytest')
    .replace(
      'composer config',
      'composer init -n --name orders/orders && composer config repositories.packagist false && composer config',
    )
    .replaceAll('mvn -q', 'mvn -q -o -B')
}

async function orderIsPaid(line: string, folder: string, env: Record<string, string>): Promise<void> {
  await run(
    'bash',
    ['-c', line.replace('curl -s', 'curl -sSf --retry 200 --retry-connrefused --retry-delay 1')],
    folder,
    env,
  )
  const url = `${/http:\S+/.exec(line)?.[0]}/A-1`
  await expect.poll(async () => (await fetch(url)).json()).toMatchObject({ status: 'paid' })
}

describe.skipIf(!(runs('jq', '--version') && runs('openssl', 'version')))(needs('curl', 'jq and openssl'), () => {
  test('the commands of docs/guides/quickstart.md create, pay, receive, verify and refund', async () => {
    const folder = temporary()
    const [block = ''] = shellBlocks('quickstart')
    const port = String(await reservedPort())
    const script = block.replace('psp serve', `psp serve --port ${port}`).replace('7770', port)
    const all = await run('bash', ['-ec', `trap 'kill %1' EXIT\n${script}`], folder, withPsp(folder))
    const signatures = all.match(/^[0-9a-f]{64}$/gm) ?? []
    expect(signatures).toHaveLength(2)
    expect(signatures[0]).toBe(signatures[1])
    expect(JSON.parse(all.split('\n').at(-1) ?? '')).toMatchObject({ amount: 150_000, status: 'succeeded' })
    expect(block.trim().split('\n')).toHaveLength(10)
  })
})
