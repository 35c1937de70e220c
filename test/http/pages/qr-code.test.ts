import jsQr from 'jsqr'
import { afterEach, describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../../../src/sandbox.ts'
import { createPageFixture, type PageFixture } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

async function start(options: SandboxOptions = {}): Promise<void> {
  pages = await createPageFixture(options)
}

describe('the QR code', () => {
  it('the QR code contains the address of the page', async () => {
    await start({ payUrl: 'https://pay.example' })
    const [shop] = pages.sandbox.engine.world.rows('shops')
    const { object } = pages.sandbox.engine.execute('create_payment', {
      caller: { shop_id: shop?.id ?? '', mode: 'test' },
      input: { amount: 100, currency: 'RUB', method: 'sbp', metadata: {} },
    })
    expect(readQr(await pages.open(object.id))).toBe(`https://pay.example/pay/${object.id}`)
  })
})

/** Renders the runs of the SVG with 4 pixels per cell and decodes them. */
function readQr(page: string): string | undefined {
  const size = Number(/class="qr-code" viewBox="0 0 (\d+)/.exec(page)?.[1])
  const path = /fill="#000" d="([^"]+)"/.exec(page)?.[1] ?? ''
  const width = size * 4
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * 4; row < Number(y) * 4 + 4; row++) {
      for (let column = Number(x) * 4; column < (Number(x) + Number(length)) * 4; column++) {
        pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
      }
    }
  }
  return jsQr.default(pixels, width, width)?.data
}
