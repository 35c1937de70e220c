// The document of the dashboard at `/` and `/ui/…`, and who gets it.
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../../../src/sandbox.ts'
import { BROWSER, createPageFixture, type PageFixture } from '../pages/fixtures.ts'
import { NOT_BUILT, TWO_FILES } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

const TOKEN = 'a-token-of-some-length-0123'
const VIEW = 'a-token-for-reading-only-45'

async function open(path: string, options: SandboxOptions = {}, headers: Record<string, string> = {}) {
  pages = await createPageFixture({ dashboardFiles: TWO_FILES, ...options })
  return await pages.ask(path, { headers: { ...BROWSER, ...headers } })
}

describe('the document of the dashboard', () => {
  it.each([
    ['/', './', ''],
    ['/ui', './', ''],
    ['/ui/payments', '../', '../'],
    ['/ui/payments/3f2a', '../../', '../../'],
    ['/ui/payments/3f2a/refund', '../../../', '../../../'],
  ])(
    'the document at %s links its files relative to the root, so that a proxy may add a prefix',
    async (path, root, up) => {
      const page = await (await open(path)).text()
      expect(page).toContain(`<div id="app" data-root="${root}"></div>`)
      expect(page).toContain(`<script type="module" src="${up}assets/main-AB.js"></script>`)
      expect(page).toContain(`href="${up}assets/main-CD.css"`)
      expect(page).toContain(`<link rel="modulepreload" href="${up}assets/chunk-EF.js">`)
      expect(page).toContain(`href="${up}pay/assets/page.css"`)
    },
  )

  it('the policy of the document forbids inline scripts, frames, and HTML from text', async () => {
    const policy = (await open('/ui/payments')).headers.get('content-security-policy')
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy?.split('; ')).toContain(rule)
  })

  it('the document contains the page for browsers without JavaScript', async () => {
    pages = await createPageFixture({ dashboardFiles: TWO_FILES })
    await pages.create({ order_id: '</noscript><i>' })
    const page = await (await pages.ask('/', { headers: BROWSER })).text()
    const inner = /<noscript>(<a class="skip".*)<\/noscript>/s.exec(page)?.[1]
    expect(inner).toContain('&lt;/noscript&gt;&lt;i&gt;')
    expect(inner).toContain('openapi.json')
  })

  it('the links of a nested document without JavaScript lead to the root', async () => {
    pages = await createPageFixture({ dashboardFiles: TWO_FILES })
    const id = await pages.create()
    const page = await (await pages.ask('/ui/payments', { headers: BROWSER })).text()
    expect(page).toContain(`href="../pay/${id}"`)
    expect(page).toContain('href="../_psp/health"')
  })

  it('/ui/… gets a 404 if the dashboard was not built', async () => {
    expect((await open('/ui/payments', { dashboardFiles: NOT_BUILT })).status).toBe(404)
  })

  it.each([
    ['POST', { method: 'POST' }],
    ['a program', { headers: { accept: 'application/json' } }],
  ])('%s gets a 404 at /ui/payments', async (_who, init: RequestInit) => {
    pages = await createPageFixture({ dashboardFiles: TWO_FILES })
    expect((await pages.ask('/ui/payments', { ...init, headers: { ...BROWSER, ...init.headers } })).status).toBe(404)
  })
})

describe('a document without data', () => {
  const seen = async (response: Response) => {
    const page = await response.text()
    return { status: response.status, script: page.includes('<script'), data: /UTC|pay\/[0-9a-f]{8}/.test(page) }
  }

  it.each([
    ['the control token is missing', { token: TOKEN }, {}, { status: 200, script: true, data: false }],
    ['the token is wrong', { token: TOKEN }, { authorization: 'Bearer x' }, { status: 200, script: true, data: false }],
    [
      'the control token was sent',
      { token: TOKEN },
      { authorization: `Bearer ${TOKEN}` },
      { status: 200, script: true, data: true },
    ],
    [
      'the view token was sent',
      { token: TOKEN, viewToken: VIEW },
      { authorization: `Bearer ${VIEW}` },
      { status: 200, script: true, data: true },
    ],
    ['the Host is foreign', {}, { host: 'evil.example' }, { status: 404, script: false, data: false }],
    [
      'the Host is foreign and a token exists',
      { token: TOKEN },
      { host: 'evil.example' },
      { status: 404, script: false, data: false },
    ],
    ['another origin reads it', {}, { origin: 'https://evil.example' }, { status: 404, script: false, data: false }],
  ])('if %s, the document has the right parts', async (_case, control, headers: Record<string, string>, wanted) => {
    pages = await createPageFixture({ dashboardFiles: TWO_FILES, control })
    await pages.create()
    expect(await seen(await pages.ask('/ui/payments', { headers: { ...BROWSER, ...headers } }))).toEqual(wanted)
  })

  it('on a shared host without a token the dashboard is off', async () => {
    pages = await createPageFixture({ dashboardFiles: TWO_FILES, control: { host: '0.0.0.0', loopback: false } })
    const incoming = {
      headers: { ...BROWSER, host: '10.0.0.5:7770' },
      socket: { remoteAddress: '10.0.0.9' },
    } as unknown as IncomingMessage
    const request = new Request('http://10.0.0.5:7770/', { headers: BROWSER })
    expect(await seen(await pages.sandbox.fetch(request, { incoming }))).toEqual({
      status: 404,
      script: false,
      data: false,
    })
  })
})
