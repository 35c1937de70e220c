// The hosted page of the built `psp serve` and the commands that open it.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BIN, createWorkspace, isExecutable } from './helpers.ts'

const BROWSER = { accept: 'text/html' }

let workspace: ReturnType<typeof createWorkspace>
beforeEach(() => {
  workspace = createWorkspace()
})
afterEach(() => workspace.remove())

/** Runs psp with an `xdg-open` that finds no browser. */
async function pspWithoutBrowser(...args: string[]) {
  return await pspInLanguage({}, args, 'exit 3')
}

/** Runs psp with an `xdg-open` that records its argument. */
async function pspWithBrowser(...args: string[]) {
  return await pspInLanguage({}, args)
}

/**
 * @param language the variables of a locale
 * @param script what `xdg-open` does instead of recording its argument
 */
async function pspInLanguage(language: Record<string, string>, args: readonly string[], script?: string) {
  const bin = join(workspace.cwd, 'bin')
  const noted = join(workspace.cwd, 'opened')
  mkdirSync(bin, { recursive: true })
  const records = `echo "$1" > '${noted}.part' && mv '${noted}.part' '${noted}'`
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\n${script ?? records}\n`)
  chmodSync(join(bin, 'xdg-open'), 0o755)
  const result = await execa(BIN, args, {
    cwd: workspace.cwd,
    reject: false,
    stdin: 'ignore',
    timeout: 150_000,
    env: { PATH: `${bin}${delimiter}${process.env['PATH']}`, NO_COLOR: '1', ...language },
  })
  return {
    result,
    async opened() {
      await expect.poll(() => existsSync(noted)).toBe(true)
      return readFileSync(noted, 'utf8').trim()
    },
  }
}

const statusOf = async (url: string, id: string) => (await fetch(`${url}/pay/${id}/status`)).json()

describe.runIf(process.platform === 'linux')('a browser', () => {
  test.each([['any'], ['sbp']])(
    '`payments create --open` opens the page before the simulator pays (method %s)',
    async (method) => {
      const { ready } = await workspace.serve('--quiet', '--clock', 'frozen')
      const { result, opened } = await pspWithBrowser(
        ...['payments', 'create', '--amount', '100', '--method', method, '--open', '--json'],
      )
      const { payment, payment_url } = JSON.parse(result.stdout) as { payment: { id: string }; payment_url: string }
      expect(payment_url).toBe(`${ready.url}/pay/${payment.id}`)
      expect(await opened()).toBe(payment_url)
      await workspace.psp('clock', 'advance', '60s')
      expect(await statusOf(ready.url, payment.id)).toMatchObject({ status: 'pending' })
    },
  )

  test('`payments open` opens the page and prints its address', async () => {
    const { ready } = await workspace.serve('--quiet')
    const made = await workspace.psp('payments', 'create', '--amount', '100', '--json')
    const { id } = (JSON.parse(made.stdout) as { payment: { id: string } }).payment
    const { result, opened } = await pspWithBrowser('payments', 'open', id)
    expect([result.exitCode, result.stdout]).toEqual([0, `${ready.url}/pay/${id}`])
    expect(await opened()).toBe(`${ready.url}/pay/${id}`)
  })

  test('`payments create --open` prints the payment and ends with 0 if no browser can be started', async () => {
    const { ready } = await workspace.serve('--quiet')
    const { result } = await pspWithoutBrowser('payments', 'create', '--amount', '100', '--open')
    expect(result.exitCode).toBe(0)
    const id = /^payment +(\S+)/.exec(result.stdout)?.[1]
    expect(result.stdout).toContain(`${ready.url}/pay/${id}`)
    expect(result.stderr).toMatch(/^The browser could not be started: xdg-open exited with 3\./)
    expect(result.stderr).toContain(`psp payments pay ${id}`)
  })

  test('`payments create --open --json` prints the response and a note if no browser can be started', async () => {
    await workspace.serve('--quiet')
    const { result } = await pspWithoutBrowser('payments', 'create', '--amount', '100', '--open', '--json')
    expect(result.exitCode).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject({ payment: { status: 'pending' } })
    expect(result.stderr).toContain('The browser could not be started')
  })

  test('`payments open` prints the address and ends with 1 if no browser can be started', async () => {
    const { ready } = await workspace.serve('--quiet')
    const made = await workspace.psp('payments', 'create', '--amount', '100', '--json')
    const { id } = (JSON.parse(made.stdout) as { payment: { id: string } }).payment
    const { result } = await pspWithoutBrowser('payments', 'open', id)
    expect([result.exitCode, result.stdout]).toEqual([1, `${ready.url}/pay/${id}`])
  })

  test('`payments create --open` without a server opens and creates nothing', async () => {
    const { result } = await pspWithBrowser('payments', 'create', '--amount', '100', '--open')
    expect([result.exitCode, result.stdout]).toEqual([6, ''])
    expect(result.stderr).toContain('psp serve')
    const list = await workspace.psp('payments', 'list', '--json')
    expect(JSON.parse(list.stdout)).toMatchObject({ items: [] })
  })
})

describe('the built server', () => {
  test('the built server serves each file of the page', async () => {
    const { ready } = await workspace.serve('--quiet')
    const made = await workspace.psp('payments', 'create', '--amount', '100', '--json')
    const { payment_url } = JSON.parse(made.stdout) as { payment_url: string }
    const page = await (await fetch(payment_url, { headers: BROWSER })).text()
    const named = [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => `/pay/${path}`)
    expect(named).toHaveLength(3)
    const style = await (await fetch(`${ready.url}/pay/assets/page.css`)).text()
    const font = /url\("?([^")]+)"?\)/.exec(style)?.[1] ?? ''
    for (const path of [...named, '/pay/assets/card.js', '/pay/assets/expiry.js', `/pay/assets/${font}`]) {
      const response = await fetch(ready.url + path)
      expect([path, response.status]).toEqual([path, 200])
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1000)
    }
  })

  // The executable contains the same code.
  test.skipIf(isExecutable)('no card number is in the data directory, in the output or in `psp logs`', async () => {
    const { ready, child, line } = await workspace.serve()
    const made = await workspace.psp('payments', 'create', '--amount', '100', '--method', 'cards', '--json')
    const { payment, payment_url } = JSON.parse(made.stdout) as { payment: { id: string }; payment_url: string }
    const page = await (await fetch(payment_url, { headers: BROWSER })).text()
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const form = { token, number: '4242 4242 4242 4242', expiry: '12/40', cvc: '737', holder: 'Ivan Petrov' }
    for (const fields of [{ ...form, number: '4242 4242 4242 4243' }, form]) {
      await fetch(`${payment_url}/pay`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
    }
    await workspace.psp('wait', 'payment.succeeded', '--where', `id=${payment.id}`, '--since', '10m', '--timeout', '2m')
    expect(await statusOf(ready.url, payment.id)).toMatchObject({ status: 'succeeded' })
    await line(/\/pay"/)
    const logs = await workspace.psp('logs', '--json', '--show-body')
    child.kill('SIGTERM')
    const { stdout, stderr } = await child
    const data = join(workspace.cwd, '.psp')
    const stored = readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')
    expect(stored).toContain('424242******4242')
    expect(logs.stdout).toContain(`/pay/${payment.id}/pay`)
    expect(stdout).toContain(`/pay/${payment.id}/pay`)
    for (const text of [stored, stdout, stderr, logs.stdout, logs.stderr]) {
      expect(text.replace(/[ +]|%20/g, '')).not.toMatch(/424242424242424|cvc/i)
    }
  })
})

describe('the language of the page', () => {
  const RUSSIAN = { LANG: 'ru_RU.UTF-8', LC_ALL: 'ru_RU.UTF-8', LANGUAGE: 'ru' }
  const CYRILLIC = /[а-яё]/i
  const languageOf = async (url: string, accepted?: string) => {
    const headers = accepted === undefined ? BROWSER : { ...BROWSER, 'accept-language': accepted }
    const text = await (await fetch(url, { headers })).text()
    return [/<html lang="(\w+)"/.exec(text)?.[1], CYRILLIC.test(/<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1] ?? '')]
  }

  test('the language of the page is that of the browser or of --lang, and the command line stays English', async () => {
    const { ready } = await workspace.serve('--quiet', '--clock', 'frozen')
    const made = await pspInLanguage(RUSSIAN, ['payments', 'create', '--amount', '100', '--open', '--lang', 'ru'])
    const page = /http\S+\/pay\/[0-9a-f-]+/.exec(made.result.stdout)?.[0] ?? ''
    expect(page).toMatch(new RegExp(`^${ready.url}/pay/`))
    expect(await made.opened()).toBe(`${page}?lang=ru`)
    expect(made.result.stdout).toContain('status   pending')
    expect(made.result.stdout + made.result.stderr).not.toMatch(CYRILLIC)

    // --lang overrides the language of the browser, and each link keeps it.
    expect(await languageOf(`${page}?lang=ru`, 'en')).toEqual(['ru', true])
    expect(await languageOf(page, 'ru-RU,ru;q=0.9,en;q=0.8')).toEqual(['ru', true])
    expect(await languageOf(page, 'en;q=0.5, ru;q=0.9')).toEqual(['ru', true])
    expect(await languageOf(page, 'en-GB,en;q=0.9')).toEqual(['en', false])
    expect(await languageOf(page, 'de')).toEqual(['en', false])
    expect(await languageOf(page)).toEqual(['en', false])
    expect(await languageOf(`${page}?lang=en`, 'ru')).toEqual(['en', false])
    const russian = await (await fetch(`${page}?lang=ru`, { headers: BROWSER })).text()
    const forms = [...russian.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, action]) => action)
    expect(forms.length).toBeGreaterThan(0)
    for (const action of forms) expect(action).toContain('lang=ru')

    for (const args of [['--help'], ['payments', 'list'], ['payments', 'get', 'nothing'], ['nosuch']]) {
      const { result } = await pspInLanguage(RUSSIAN, args)
      expect(result.stdout + result.stderr, args.join(' ')).not.toMatch(/[а-яё]{3,} [а-яё]{3,}/i)
      expect(result.stdout + result.stderr).not.toBe('')
    }
    const refused = await pspInLanguage(RUSSIAN, ['payments', 'list', '--lang', 'ru'])
    expect([refused.result.exitCode, refused.result.stderr]).toEqual([2, expect.stringContaining('--lang')])
  })
})
