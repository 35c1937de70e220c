// A proxy or Mock Service Worker adds a path prefix to the page and removes it from requests. All links must keep the prefix.
import { afterEach, describe, expect, it } from 'vitest'
import { BROWSER, CARD, createPageFixture, type PageFixture } from './fixtures.ts'

const PUBLIC = 'http://shop.example/psp'
const SHOP = 'https://shop.example/done'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

/** Returns what a browser gets below the prefix. The sandbox sees another host. */
async function proxied(url: string, init: RequestInit = {}): Promise<Response> {
  expect(url.startsWith(`${PUBLIC}/`), `${url} leaves ${PUBLIC}`).toBe(true)
  return await pages.ask(url.slice(PUBLIC.length), { redirect: 'manual', ...init })
}

/** A page and its address. */
interface Shown {
  readonly url: string
  readonly status: number
  readonly text: string
}

async function shown(url: string, answer: Response): Promise<Shown> {
  if (answer.status !== 303) return { url, status: answer.status, text: await answer.text() }
  const next = new URL(answer.headers.get('location') ?? '', url).href
  return next.startsWith(SHOP) ? { url: next, status: 303, text: '' } : await open(next)
}

const open = async (url: string) => await shown(url, await proxied(url, { headers: BROWSER }))

/** Sends a form as a browser does over plain http, without `Sec-Fetch-Site`. */
async function send({ url, text }: Shown, part: string, fields: Record<string, string>): Promise<Shown> {
  const action = new RegExp(`<form method="post" action="([^"]*/${part}[^"]*)"`).exec(text)?.[1]
  if (action === undefined) throw new Error(`no form ${part} at ${url}`)
  const to = new URL(action.replaceAll('&amp;', '&'), url).href
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return await shown(
    to,
    await proxied(to, {
      method: 'POST',
      headers: { ...BROWSER, origin: new URL(PUBLIC).origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, ...fields }).toString(),
    }),
  )
}

/** Returns every address of the page as an absolute URL. */
function addresses({ url, text }: Shown): readonly string[] {
  const found = [
    ...text.matchAll(/(?:href|src|action|data-status|data-href|data-return)="([^"#][^"]*)"/g),
    ...text.matchAll(/http-equiv="refresh" content="[\d.]+;url=([^"]+)"/g),
  ].map(([, address = '']) => address.replaceAll('&amp;', '&'))
  return found.filter((address) => !address.startsWith('data:')).map((address) => new URL(address, url).href)
}

/** Checks that each address exists, is the page in another language, or redirects a GET back to the page. */
async function expectWhole(page: Shown): Promise<void> {
  const all = addresses(page)
  expect(all.length).toBeGreaterThanOrEqual(3)
  for (const address of new Set(all)) {
    const { status } = await proxied(address, { headers: { accept: '*/*', 'sec-purpose': 'prefetch' } })
    const itself = address.replace(/\?lang=\w+$/, '') === page.url && status === page.status
    expect([address, itself || [200, 303].includes(status)]).toEqual([address, true])
  }
}

async function start(body: object = {}): Promise<Shown> {
  pages = await createPageFixture()
  const id = await pages.create({ return_url: SHOP, ...body })
  pages.sandbox.setPayUrl(PUBLIC)
  return await open(`${PUBLIC}/pay/${id}`)
}

describe('the links of the page below a path prefix', () => {
  it('the links keep the prefix from the choice of a method to the return to the shop', async () => {
    const choice = await start()
    await expectWhole(choice)
    const sbp = await open(`${choice.url}?method=sbp`)
    expect(sbp.text).toContain(`value="${choice.url}?method=sbp"`)
    await expectWhole(sbp)
    const app = await open(`${choice.url}?method=sbp&view=app&lang=ru&panel=open`)
    await expectWhole(app)
    await send(app, 'pay', { bank: '100000000111', method: 'sbp' })
    await pages.sandbox.timeline.advance({ until: 'idle' })
    const paid = await open(choice.url)
    await expectWhole(paid)
    const back = /data-return="([^"]+)"/.exec(paid.text)?.[1] ?? ''
    expect((await open(new URL(back, paid.url).href)).url).toMatch(
      new RegExp(`^${SHOP}\\?payment_id=.*&status=succeeded$`),
    )
  })

  it('the links keep the prefix after a card form with mistakes and on the 3-D Secure page', async () => {
    const cards = await start({ method: 'cards' })
    await expectWhole(cards)
    const wrong = await send(cards, 'pay', { ...CARD, number: '2200 0000 0001 0004' })
    expect(wrong.url).toBe(`${cards.url}/pay`)
    await expectWhole(wrong)
    // The page with mistakes is one directory deeper.
    const asked = await send(wrong, 'pay', CARD)
    await expectWhole(asked)
  })

  it('the links keep the prefix on the panel and on error pages', async () => {
    const page = await open((await start()).url.concat('?panel=open'))
    const declined = await send(page, 'act', { act: 'decline' })
    expect(declined.url).toBe(`${page.url}`)
    await expectWhole(declined)
    await expectWhole(await open(`${PUBLIC}/pay/00000000-0000-4000-8000-000000000000`))
    const stale = await send(
      { ...page, text: page.text.replaceAll(/name="token" value="[^"]+"/g, 'name="token" value="old"') },
      'act',
      { act: 'approve' },
    )
    expect(stale.url).toBe(page.url.replace('?panel=open', '/act'))
    await expectWhole(stale)
  })
})

it('a form of another site is refused all the same', async () => {
  const page = await start()
  const to = `${page.url}/pay`
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const foreign = await proxied(to, {
    method: 'POST',
    headers: { ...BROWSER, origin: 'http://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, method: 'sbp' }).toString(),
  })
  expect(foreign.status).toBe(403)
})
