import { afterEach, describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../../../src/sandbox.ts'
import { createPageFixture, type PageFixture } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

async function start(options: SandboxOptions = {}): Promise<void> {
  pages = await createPageFixture(options)
}

describe('the status route', () => {
  it('the status route returns the time of the sandbox and a version that changes with the payment', async () => {
    await start()
    const id = await pages.create()
    const before = await pages.status(id)
    expect((before['deadline'] as number) - (before['now'] as number)).toBe(86_400_000)
    expect(before['speed']).toBe(0)
    await pages.post(id, 'pay', { method: 'sbp' })
    expect((await pages.status(id))['version']).not.toBe(before['version'])
  })
})
