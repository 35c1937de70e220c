// Clients that hey-api generates from the documents, a program on them checked by the compiler, then run against a server.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import { build } from 'esbuild'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlDocument } from '../../src/http/control/document.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import { publicDocument } from '../../src/http/openapi/public-document.ts'
import { type RunningServer, startServer } from '../../src/node/server.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { frozenSandbox } from '../contract/adapter.ts'
import { CHANGED_MESSAGE, SEEN_BY_CLIENT } from '../e2e/clients/seen.ts'
import { HEY_API_SHOP } from './hey-api-shop.ts'

let folder: string
let program: string
let sandbox: Sandbox
let server: RunningServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'psp-hey-api-'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  program = join(folder, 'shop.ts')
  writeFileSync(program, HEY_API_SHOP)
  for (const [name, document] of [
    ['public', publicDocument()],
    ['control', controlDocument(CONTROL_ROUTES)],
  ] as const) {
    await createClient({
      input: JSON.parse(JSON.stringify(document)),
      output: { path: join(folder, name), importFileExtension: '.ts' },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    })
  }
  sandbox = await frozenSandbox()
  server = await startServer(sandbox, { port: 0, host: '127.0.0.1', systemClock: createSystemClock() })
})
afterAll(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

test('a program on the clients of hey-api compiles', () => {
  const compiler = ts.createProgram([program], {
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true, types: [] },
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  })
  const complaints = ts.getPreEmitDiagnostics(compiler).map(({ messageText, file, start = 0 }) => {
    const line = (file?.getLineAndCharacterOfPosition(start).line ?? -1) + 1
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
  expect(complaints).toEqual([])
})

test('a program on the clients of hey-api runs, and reads the event stream', async () => {
  const script = join(folder, 'shop.mjs')
  await build({ entryPoints: [program], outfile: script, bundle: true, format: 'esm', platform: 'node' })
  const { run } = (await import(pathToFileURL(script).href)) as {
    run(url: string, key: string, message: string): Promise<unknown>
  }
  expect(await run(server.url, sandbox.startShop().api_key ?? '', JSON.stringify(CHANGED_MESSAGE))).toEqual({
    ...SEEN_BY_CLIENT,
    streamed: 'streamed',
  })
})
