// The guide to the audit shows the output of the command, and lists each check.
// `PSP_UPDATE_PAGES=1 npx vitest run --project code test/docs/auditing.test.ts` rewrites both.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import start from '../../fixtures/start-shop.json' with { type: 'json' }
import { CHECKS } from '../../src/audit/checks.ts'
import { returnCheck } from '../../src/audit/return-check.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { shop } from '../audit/shop.ts'
import { WRONG_SHOPS } from '../audit/wrong-shops.ts'
import { createTestDir, psp } from '../cli/helpers.ts'

const PAGE = new URL('../../docs/guides/auditing-a-handler.md', import.meta.url)
const page = () => readFileSync(PAGE, 'utf8')
const checks = ['| check | a correct handler | sent |', '|---|---|---|']
  .concat(
    [...CHECKS, returnCheck('http://localhost:3000/thanks')].map(
      ({ id, title, sent }) => `| \`${id}\` | ${title} | ${sent} |`,
    ),
  )
  .join('\n')

test('the guide to auditing shows what its command prints', async () => {
  const parts = WRONG_SHOPS.find(({ check }) => check === 'future')?.parts
  const { fetch, books } = shop(start.webhook_secret, createSystemClock().now, parts)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const order = /^\/orders\/(.+)$/.exec(request.url ?? '')?.[1]
    if (order !== undefined) return response.end(books.orderStatus(decodeURIComponent(order)) ?? '')
    if (request.method === 'GET') return response.end(String(books.balance()))
    const headers = request.headers as Record<string, string>
    const { status } = await fetch('', { method: 'POST', headers, body: new Uint8Array(Buffer.concat(chunks)) })
    return response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const folder = createTestDir()
  try {
    const line = `audit localhost:${port}/hooks --probe balance --probe orders/{order_id} --probe-settle 1ms`
    const { code, stdout } = await psp(line, { cwd: folder.path })
    expect(code).toBe(8)
    if (process.env['PSP_UPDATE_PAGES'] !== undefined) {
      const shown = page().replace(/^```text\n.*?^```$/ms, () => `\`\`\`text\n${stdout.trim()}\n\`\`\``)
      writeFileSync(
        PAGE,
        shown.replace(/^(\| check .*?\n\n|CHECKS\n\n)/ms, () => `${checks}\n\n`),
      )
    }
    expect(masked(/^```text\n(.*?)\n```$/ms.exec(page())?.[1])).toBe(masked(stdout.trim()))
    expect(page().split(`\n${checks}\n`)).toHaveLength(2)
  } finally {
    server.close()
    server.closeAllConnections()
    folder.remove()
  }
})

function masked(text = ''): string {
  return text.replace(/\d+ ms/g, 'MS')
}
