import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { BROWSER, CARD, createPageFixture, type PageFixture } from './fixtures.ts'
import { METHOD_PER_FORM } from './methods.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

describe('the page of an unknown payment', () => {
  it.each([UNKNOWN, 'nonsense', '..%2f..', '%3Cscript%3E'])(
    'the id %s gets an error page and status 404',
    async (id) => {
      pages = await createPageFixture()
      const response = await pages.ask(`/pay/${id}`, { headers: BROWSER })
      const page = await response.text()
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(page).toContain('Payment not found')
      expect(page).not.toContain('<script>')
      expect((await pages.ask(`/pay/${id}/status`)).status).toBe(404)
      expect((await pages.ask(`/pay/${id}/return`)).status).toBe(404)
      expect((await pages.ask(`/pay/${id}/pay`, { method: 'POST', body: '' })).status).toBe(404)
    },
  )
})

describe('texts of the merchant', () => {
  const HOSTILE = `</title><script>alert(1)</script><img src=x onerror=alert(1)>" onmouseover="x \u202Egpj.exe שלום`

  it('texts of the merchant are escaped and truncated', async () => {
    pages = await createPageFixture()
    const [shop] = pages.sandbox.engine.world.rows('shops')
    pages.sandbox.engine.execute('update_shop', { shop_id: shop?.id ?? '', change: { name: HOSTILE } })
    const long = HOSTILE + 'Ж'.repeat(10_000)
    for (const method of METHOD_PER_FORM) {
      const id = await pages.create({ method, description: long, order_id: long })
      for (const query of ['', '?view=app', `?q=${encodeURIComponent(HOSTILE)}`, '?lang=%22%3E%3Cscript%3E']) {
        const page = await pages.open(id, query)
        expect(page).not.toMatch(/<script(?! type="module" src="assets\/page\.js"><\/script>)/)
        expect(page.replace(/="[^"]*"/g, '')).not.toMatch(/<[^>]*\son\w+/)
        expect(page).not.toContain('<img')
        expect(page).not.toContain('Ж'.repeat(500))
        expect(page).not.toContain('style=')
        expect(page).toContain('<bdi')
      }
    }
  })

  it('texts of the merchant have no control characters on any page', async () => {
    const text = 'A\u0000\u001b[2J\u007f\u009b\u202e\u2066\ud800B'
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
    pages = await createPageFixture()
    const [shop] = pages.sandbox.engine.world.rows('shops')
    pages.sandbox.engine.execute('update_shop', { shop_id: shop?.id ?? '', change: { name: text } })
    const id = await pages.create({ description: text, order_id: text })
    for (const page of [await pages.open(id), await (await pages.ask('/', { headers: BROWSER })).text()]) {
      expect(page).toContain('A\ufffdB')
      expect(page).not.toMatch(raw)
    }
  })

  it('a truncated text never contains half a character', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ description: `${'a'.repeat(398)}😀😀😀` })
    expect(await pages.open(id)).toContain(`${'a'.repeat(398)}😀…</bdi>`)
  })
})

describe('the Content-Security-Policy', () => {
  it('the policy allows nothing from other origins and nothing inline', async () => {
    pages = await createPageFixture()
    const id = await pages.create()
    const { headers } = await pages.ask(`/pay/${id}`, { headers: BROWSER })
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('the server sends each asset of the page, and 304 if it is unchanged', async () => {
    pages = await createPageFixture()
    const page = await pages.open(await pages.create())
    const files = [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => `/pay/${path}`)
    expect(files).toEqual(['/pay/assets/inter.woff2', '/pay/assets/page.css', '/pay/assets/page.js'])
    for (const path of [
      ...files,
      '/pay/assets/banks.js',
      '/pay/assets/card.js',
      '/pay/assets/copy.js',
      '/pay/assets/expiry.js',
      '/pay/assets/panel.js',
    ]) {
      const response = await pages.ask(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^(text\/(css|javascript); charset=utf-8|font\/woff2)$/)
      expect((await response.text()).length).toBeGreaterThan(100)
      const etag = response.headers.get('etag') ?? ''
      expect((await pages.ask(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    }
    expect((await pages.ask('/pay/assets/..%2findex.ts')).status).toBe(404)
  })

  it('the server compresses text assets for clients that accept gzip', async () => {
    pages = await createPageFixture()
    const get = (path: string, encoding: string) => pages.ask(path, { headers: { 'accept-encoding': encoding } })
    const plain = await get('/pay/assets/page.css', 'identity')
    for (const encoding of ['gzip', 'gzip, deflate', 'br;q=1, gzip;q=0.5']) {
      const zipped = await get('/pay/assets/page.css', encoding)
      expect([zipped.headers.get('content-encoding'), zipped.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding'])
      expect(zipped.headers.get('etag')).not.toBe(plain.headers.get('etag'))
      expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(await plain.clone().text())
    }
    for (const encoding of ['identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br']) {
      expect((await get('/pay/assets/page.css', encoding)).headers.get('content-encoding')).toBeNull()
    }
    expect((await get('/pay/assets/inter.woff2', 'gzip')).headers.get('content-encoding')).toBeNull()
  })

  it.each(['any', 'sbp', 'cards', 'tpay'])(
    'the page of a payment by %s with all its files is under 100 KB',
    async (method) => {
      pages = await createPageFixture()
      const page = await pages.open(await pages.create({ method }))
      let bytes = Buffer.byteLength(page)
      for (const name of [
        'page.css',
        'page.js',
        'banks.js',
        'card.js',
        'copy.js',
        'expiry.js',
        'panel.js',
        'inter.woff2',
      ]) {
        const response = await pages.ask(`/pay/assets/${name}`, { headers: { 'accept-encoding': 'gzip' } })
        bytes += (await response.arrayBuffer()).byteLength
      }
      expect(bytes).toBeLessThan(100_000)
    },
  )
})

describe('forms', () => {
  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 303],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://127.0.0.1:7770' }, 303],
    [{ 'content-type': 'text/plain' }, 403],
    [{}, 303],
  ])('a form with the headers %j gets %i', async (headers, status) => {
    pages = await createPageFixture()
    const id = await pages.create()
    const response = await pages.post(id, 'pay', { method: 'sbp' }, headers as Record<string, string>)
    expect(response.status).toBe(status)
    expect((await pages.payment(id))['method']).toBe(status === 303 ? 'sbp' : 'any')
  })

  it.each([['pay'], ['confirm'], ['reject'], ['act'], ['order']])(
    'a form for %s without the token of the payment, or with that of another, changes nothing',
    async (part) => {
      pages = await createPageFixture()
      const [id, other] = [await pages.create({ method: 'sbp' }), await pages.create({ method: 'sbp' })]
      const foreign = await pages.token(other)
      for (const token of ['', 'x', foreign]) {
        const response = await pages.post(id, part, { token, act: 'approve', method: 'sbp', order: 'never' })
        expect(response.status).toBe(403)
        expect(await response.text()).toContain('Open the payment')
      }
      expect(await pages.status(id)).toMatchObject({ status: 'pending' })
      expect(pages.sandbox.engine.world.size('faults')).toBe(0)
    },
  )

  it('a form that is too large is rejected', async () => {
    pages = await createPageFixture()
    const id = await pages.create()
    const response = await pages.post(id, 'pay', { method: 'x'.repeat(20_000) })
    expect(response.status).toBe(413)
    expect(await response.text()).toContain('Something went wrong')
  })

  it('a GET does not submit a form', async () => {
    pages = await createPageFixture()
    const id = await pages.create()
    const response = await pages.ask(`/pay/${id}/act?act=approve&lang=ru`, { headers: BROWSER })
    expect([response.status, response.headers.get('location')]).toEqual([303, `../${id}?lang=ru`])
  })
})

describe('a card number', () => {
  it('a card number is in no file, request log, event or response', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'psp-page-'))
    try {
      pages = await createPageFixture({ folder })
      const numbers = ['4242424242424242', '4000000000003220', '2200000000010004', '6011000990139424']
      const answers: string[] = []
      for (const number of numbers) {
        const id = await pages.create({ method: 'cards' })
        const typed = number.replace(/(\d{4})(?=\d)/g, '$1 ')
        answers.push(await (await pages.post(id, 'pay', { ...CARD, number: typed, holder: typed })).text())
        answers.push(await (await pages.post(id, 'pay', { ...CARD, number: typed })).text())
        answers.push(await pages.open(id))
        await pages.post(id, 'confirm', { answer: 'yes', code: '123456' })
        await pages.sandbox.timeline.advance({ by: 5000 })
      }
      const log = await (await pages.ask('/_psp/requests')).text()
      const exported = JSON.stringify([...pages.sandbox.engine.world.rows('events')])
      await pages.sandbox.close()
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const stored = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n')
      expect(stored).toContain('424242******4242')
      const everything = [
        log,
        exported,
        stored,
        ...answers.map((answer) => answer.replace(/<details.*<\/details>/gs, '')),
      ]
      for (const text of everything) {
        for (const number of numbers) expect(text.replace(/[ +]|%20/g, '')).not.toContain(number)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('the request log names the payment and contains no body', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', CARD)
    const { items } = (await (await pages.ask('/_psp/requests')).json()) as { items: Record<string, unknown>[] }
    const entry = items.find(({ path }) => path === `/pay/${id}/pay`)
    expect(entry).toMatchObject({ method: 'POST', status: 303, object_id: id })
    expect(entry).not.toHaveProperty('request_body')
  })
})
