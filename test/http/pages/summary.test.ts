// The top of the page: what the buyer pays for.
import { afterEach, expect, test } from 'vitest'
import { createPageFixture, type PageFixture } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

/** Returns the line of a narrow window, and the facts of a wide one. */
async function orderOf(id: string, query = '') {
  const page = await pages.open(id, query)
  const [, details = ''] = /<details class="order"[^>]*>(.*?)<\/details>/s.exec(page) ?? []
  const textOf = (html = '') => html.replaceAll(/<svg.*?<\/svg>|<[^>]*>/gs, '').trim()
  const [, line] = /<span class="order-line">(.*?)<\/span><svg/s.exec(details) ?? []
  const facts = [...details.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs)].map(([, name, value]) => [
    textOf(name),
    textOf(value),
  ])
  return { line: textOf(line), facts }
}

test('the page shows the order, and the description and the method if the payment has them', async () => {
  pages = await createPageFixture()
  const plain = await pages.create({ order_id: 'A<7>' })
  expect(await orderOf(plain)).toEqual({ line: 'A&lt;7&gt;', facts: [['Order', 'A&lt;7&gt;']] })
  const full = await pages.create({ description: 'Two tickets', method: 'cards' })
  expect(await orderOf(full)).toEqual({
    line: 'A-1 · Two tickets · Bank card',
    facts: [
      ['Order', 'A-1'],
      ['Description', 'Two tickets'],
      ['Method', 'Bank card'],
    ],
  })
})

test('the page shows the method that the buyer looks at, if the payment allows any', async () => {
  pages = await createPageFixture()
  const id = await pages.create()
  expect((await orderOf(id, '?method=cards')).line).toBe('A-1 · Bank card')
  await pages.post(id, 'pay', { method: 'sbp' })
  expect((await orderOf(id)).line).toBe('A-1 · SBP')
})

test('the time left is shown in hours above one hour, then in minutes and seconds, and marked in the last minute', async () => {
  pages = await createPageFixture()
  const id = await pages.create()
  const timeLeft = async () => {
    const [, soon = '', time, text] =
      /<p class="countdown( soon)?">.*?datetime="PT(\d+)S">\s*(.*?)\s*<\/time>/s.exec(await pages.open(id)) ?? []
    return [Number(time), `${text?.replace('\u00a0', ' ')}${soon}`]
  }
  const after = async (by: number) => {
    await pages.sandbox.timeline.advance({ by })
    return await timeLeft()
  }
  expect(await timeLeft()).toEqual([86_400, '24 h'])
  expect(await after(86_400_000 - 3_600_001)).toEqual([3600, '1 h'])
  expect(await after(1)).toEqual([3600, '60:00'])
  expect(await after(3_540_000)).toEqual([60, '01:00'])
  expect(await after(1)).toEqual([59, '00:59 soon'])
})

test('each icon of the page is drawn', async () => {
  pages = await createPageFixture()
  const page = await pages.open(await pages.create())
  const paths = [...page.matchAll(/<svg class="icon"[^>]*><path d="([^"]*)"/g)].map(([, path]) => path)
  expect(paths.length).toBeGreaterThan(3)
  expect(paths.filter((path) => !path?.startsWith('M'))).toEqual([])
})
