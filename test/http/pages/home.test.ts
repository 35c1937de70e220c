import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { SandboxTime } from '../../../src/domain/time.ts'
import type { SandboxOptions } from '../../../src/sandbox.ts'
import { BROWSER, createPageFixture, type PageFixture } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

const TOKEN = 'a-token-of-some-length-0123'
const JSON_404 = { error: { code: 'not_found' } }

async function home(query = '', headers: Record<string, string> = {}, options: SandboxOptions = {}): Promise<Response> {
  pages = await createPageFixture(options)
  return pages.ask(`/${query}`, { headers: { ...BROWSER, ...headers } })
}

describe('the page at /', () => {
  it('the page at / shows the API, the version, the clock and the links to documents', async () => {
    const response = await home(
      '',
      {},
      { clock: { mode: 'frozen', now: Date.parse('2026-05-06T12:00:00.000Z') as SandboxTime } },
    )
    const page = await response.text()
    expect([response.status, response.headers.get('vary')]).toEqual([200, 'Accept, Accept-Language'])
    expect(page).toContain('http://127.0.0.1:7770/v1/public')
    expect(page).toMatch(/2026-05-06 12:00:00 UTC<\/time>, frozen/)
    expect(page).not.toContain('<script')
    for (const path of ['openapi.json', '_psp/openapi.json', '_psp/health', 'pay/assets/page.css']) {
      expect(page).toContain(`href="${path}"`)
      expect((await pages.ask(`/${path}`)).status).toBe(200)
    }
  })

  it.each([
    ['en', /UTC<\/time>, running, 20\u00a0min ahead/],
    ['ru', /UTC<\/time>, идут, на 20\u00a0мин вперёд/],
  ])('the page at / shows how far a real clock is ahead (%s)', async (lang, text) => {
    pages = await createPageFixture({ clock: { mode: 'real' } })
    await pages.sandbox.timeline.advance({ by: 20 * 60_000 })
    expect(await (await pages.ask(`/?lang=${lang}`, { headers: BROWSER })).text()).toMatch(text)
  })

  it('the page at / lists the latest payments, newest first, with links to their pages', async () => {
    pages = await createPageFixture()
    const ids: string[] = []
    for (let at = 0; at < 10; at++) ids.push(await pages.create({ order_id: `<i>${at}` }))
    const page = await (await pages.ask('/?lang=ru', { headers: BROWSER })).text()
    const links = [...page.matchAll(/href="(pay\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(links.slice(-8)).toEqual(
      ids
        .slice(-8)
        .reverse()
        .map((id) => `pay/${id}?lang=ru`),
    )
    expect(page).toContain('&lt;i&gt;9')
    expect(await (await pages.ask(`/${links.at(-1)}`, { headers: BROWSER })).text()).toContain('<html lang="ru">')
  })

  it('the page at / is available in both languages', async () => {
    expect(await (await home('', { 'accept-language': 'ru' })).text()).toMatch(/<html lang="ru">.*Последние платежи/s)
  })

  it('the page at / has links to both languages, a skip link, a footer and a drawn icon', async () => {
    const page = await (await home()).text()
    expect([...page.matchAll(/<a href="([^"]*)" lang="(\w+)"/g)].map(([, href, language]) => [href, language])).toEqual(
      [
        ['?lang=en', 'en'],
        ['?lang=ru', 'ru'],
      ],
    )
    expect(page).toContain('<a class="skip" href="#main">Skip to content</a>')
    expect(page).toContain('<p>Simulated payments. No money moves.</p>')
    expect(page).toMatch(/<span class="mark mark-home"><svg [^>]*><path d="M[^"]+" \/><\/svg><\/span>/)
  })

  it('the page at / is not in the request log', async () => {
    await home()
    const { items } = (await (await pages.ask('/_psp/requests')).json()) as { items: unknown[] }
    expect(items).toEqual([])
  })

  it.each([['*/*'], [''], ['text/*'], ['TEXT/HTML']])('a client that accepts %j gets the page', async (accept) => {
    const response = await home('', { accept })
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<main id="main"')])
  })

  it.each([
    ['application/json'],
    ['application/json, text/plain, */*'],
    ['application/json, text/html'],
    ['image/png'],
  ])('a program that accepts %j gets a 404 instead of the page', async (accept) => {
    const response = await home('', { accept })
    expect([response.status, await response.json()]).toMatchObject([404, JSON_404])
  })

  it('the page at / allows only GET and HEAD', async () => {
    pages = await createPageFixture()
    const posted = await pages.ask('/', { method: 'POST', headers: BROWSER })
    expect([posted.status, await posted.json()]).toMatchObject([404, JSON_404])
    const head = await pages.ask('/', { method: 'HEAD', headers: BROWSER })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

describe('the page at / shows no data of the sandbox', () => {
  const shownData = async (response: Response) => {
    const page = await response.text()
    return [response.status, /openapi\.json/.test(page), /_psp|pay\/[0-9a-f]{8}|UTC|Version|Версия/.test(page)]
  }

  it.each([
    ['with a host name that an attacker resolves to this address', { host: 'evil.example:7770' }],
    ['for a fetch by another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' }],
    ['in a frame of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }],
    ['for another origin', { origin: 'https://evil.example' }],
  ])('the page at / shows no data %s', async (_case, headers) => {
    expect(await shownData(await home('', headers))).toEqual([404, true, false])
  })

  it('the page at / shows no data if the control token is missing', async () => {
    const options = { control: { token: TOKEN } }
    expect(await shownData(await home('', {}, options))).toEqual([404, true, false])
    const closed = await (await pages.ask('/', { headers: BROWSER })).text()
    expect(closed).toContain(
      '<p>To see the data of this server, send its control token, or open the server as localhost.',
    )
    const authorization = `Bearer ${TOKEN}`
    expect(await shownData(await pages.ask('/', { headers: { ...BROWSER, authorization } }))).toEqual([200, true, true])
  })

  it.each([
    ['no data without a control token', {}, 404],
    ['no data to a caller without the control token', { token: TOKEN }, 404],
    ['the data to a caller with the control token', { token: TOKEN, authorization: `Bearer ${TOKEN}` }, 200],
  ])(
    'on a shared host the page at / shows %s',
    async (_case, { token, authorization }: Record<string, string>, status) => {
      const control = { host: '0.0.0.0', loopback: false, ...(token === undefined ? {} : { token }) }
      pages = await createPageFixture({ control })
      await pages.create({ order_id: 'shown' })
      const headers = {
        ...BROWSER,
        host: 'shop.example:7770',
        ...(authorization === undefined ? {} : { authorization }),
      }
      const incoming = { method: 'GET', url: '/', headers, socket: {} } as unknown as IncomingMessage
      const request = new Request('http://127.0.0.1:7770/', { headers })
      expect(await shownData(await pages.sandbox.fetch(request, { incoming }))).toEqual([status, true, status === 200])
    },
  )

  it('the page at / shows the data if a link on another site leads to it', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }
    expect(await shownData(await home('', link))).toEqual([200, true, true])
  })
})
