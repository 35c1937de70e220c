// The files of the dashboard at `/assets/…`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { dashboardOfPackage } from '../../../src/http/dashboard/dashboard-files.ts'
import { createPageFixture, type PageFixture } from '../pages/fixtures.ts'
import { NOT_BUILT, TWO_FILES } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages?.sandbox.close())

it.each([
  ['br, gzip', 'br', 'main-AB.js.br'],
  ['gzip', 'gzip', 'main-AB.js.gz'],
  ['br;q=0, gzip', 'gzip', 'main-AB.js.gz'],
  ['', null, 'main-AB.js'],
])('a browser that accepts %j gets the variant in encoding %s', async (accepted, encoding, name) => {
  pages = await createPageFixture({ dashboardFiles: TWO_FILES })
  const response = await pages.ask('/assets/main-AB.js', { headers: { 'accept-encoding': accepted } })
  expect([response.status, response.headers.get('content-encoding'), await response.text()]).toEqual([
    200,
    encoding,
    `content of ${name}`,
  ])
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  })
})

it('a HEAD request for an asset gets the headers without a body', async () => {
  pages = await createPageFixture({ dashboardFiles: TWO_FILES })
  const response = await pages.ask('/assets/main-CD.css', { method: 'HEAD' })
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/css; charset=utf-8',
    '',
  ])
})

it.each([
  '/assets/',
  '/assets/manifest.json',
  '/assets/../package.json',
  '/assets/..%2fpackage.json',
  '/assets/main-AB.js.br',
])('only files of the manifest are served, so %s gets a 404', async (path) => {
  pages = await createPageFixture({ dashboardFiles: TWO_FILES })
  expect((await pages.ask(path)).status).toBe(404)
})

it('an asset gets a 404 if the dashboard was not built', async () => {
  pages = await createPageFixture({ dashboardFiles: NOT_BUILT })
  expect((await pages.ask('/assets/main-AB.js')).status).toBe(404)
})

it('only GET and HEAD read an asset', async () => {
  pages = await createPageFixture({ dashboardFiles: TWO_FILES })
  expect((await pages.ask('/assets/main-AB.js', { method: 'POST' })).status).toBe(404)
})

it('the files of the package are read when they are first needed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'psp-dashboard-'))
  const files = dashboardOfPackage(pathToFileURL(`${folder}/`))
  expect(files.manifest()).toBeUndefined()
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ script: 'a.js', style: 'a.css', preload: [], files: [] }),
  )
  writeFileSync(join(folder, 'a.js'), 'let a')
  expect(files.manifest()).toMatchObject({ script: 'a.js' })
  expect(Buffer.from(files.read('a.js')).toString()).toBe('let a')
  rmSync(folder, { recursive: true })
})
