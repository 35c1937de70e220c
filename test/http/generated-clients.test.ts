// Programs that use clients generated from the documents compile, and run against a server.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import { build as bundle } from 'esbuild'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlDocument } from '../../src/http/control/document.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import { publicDocument } from '../../src/http/openapi/public-document.ts'
import type { RunningServer } from '../../src/node/server.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { frozenSandbox } from '../contract/adapter.ts'
import { CHANGED_MESSAGE, EXPECTED_RESULTS } from '../e2e/clients/expected-results.ts'
import { serve } from './fixtures.ts'
import { HEY_API_SHOP, TYPED_CONTROL, TYPED_SHOP } from './generated-client-programs.ts'

let folder: string
let sandbox: Sandbox
let server: RunningServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'psp-generated-'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  sandbox = await frozenSandbox()
  server = await serve(sandbox)
})
afterAll(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

test('a program of a shop compiles except in its marked lines, and runs', async () => {
  const { issues, module } = await build('public', publicDocument(), TYPED_SHOP)
  expect(issues).toEqual(markedLines(TYPED_SHOP))
  const { shop } = (await module()) as { shop(url: string, key: string): Promise<unknown> }
  expect(await shop(server.url, sandbox.defaultShop().api_key ?? '')).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    status: 'pending',
    refused: 'not_refundable',
    cancelled: 'cancelled',
    banks: 218,
    payout: 'pending',
  })
})

test('a program of a test compiles except in its marked lines, and runs', async () => {
  const { issues, module } = await build('control', controlDocument(CONTROL_ROUTES), TYPED_CONTROL)
  expect(issues).toEqual(markedLines(TYPED_CONTROL))
  const { control } = (await module()) as { control(url: string): Promise<unknown> }
  expect(await control(server.url)).toEqual({
    key: expect.stringMatching(/^sk_test_/),
    delay: '2s',
    steps: expect.any(Number),
    items: 1,
    gone: 'not_found',
  })
})

describe('clients of hey-api', () => {
  let program: string
  beforeAll(async () => {
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
  })

  test('a program of a shop and its test compiles', () => {
    const compiler = ts.createProgram([program], {
      ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true, types: [] },
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    })
    const issues = ts.getPreEmitDiagnostics(compiler).map(({ messageText, file, start = 0 }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? -1) + 1
      return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
    expect(issues).toEqual([])
  })

  test('a program of a shop and its test runs, and reads the event stream', async () => {
    const script = join(folder, 'shop.mjs')
    await bundle({ entryPoints: [program], outfile: script, bundle: true, format: 'esm', platform: 'node' })
    const { run } = (await import(pathToFileURL(script).href)) as {
      run(url: string, key: string, message: string): Promise<unknown>
    }
    expect(await run(server.url, sandbox.defaultShop().api_key ?? '', JSON.stringify(CHANGED_MESSAGE))).toEqual({
      ...EXPECTED_RESULTS,
      streamed: 'streamed',
    })
  })
})

/** Returns the lines in which the compiler must find an error. */
function markedLines(program: string): number[] {
  return program.split('\n').flatMap((line, at) => (line.endsWith('// WRONG') ? [at + 1] : []))
}

async function build(name: string, document: unknown, program: string) {
  const types = astToString(await openapiTS(JSON.parse(JSON.stringify(document)) as OpenAPI3))
  writeFileSync(join(folder, `${name}.d.ts`), types)
  const path = join(folder, `${name}-program.ts`)
  writeFileSync(path, program)
  const compiler = ts.createProgram([path], {
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true, types: [] },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  })
  const found = ts.getPreEmitDiagnostics(compiler)
  const issues = found.map(({ file, start = 0, messageText }) => {
    if (file?.fileName !== path) return ts.flattenDiagnosticMessageText(messageText, '\n')
    return file.getLineAndCharacterOfPosition(start).line + 1
  })
  return {
    issues: [...new Set(issues)],
    async module(): Promise<unknown> {
      const { outputText } = ts.transpileModule(program, {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      })
      const script = join(folder, `${name}-program.mjs`)
      writeFileSync(script, outputText)
      return await import(pathToFileURL(script).href)
    },
  }
}
