// The code that fixes name for a framework makes a handler of that framework pass the audit.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AuditReport } from '../../src/audit/run.ts'
import { type Framework, RAW_BODY_CODE } from '../../src/domain/remediation.ts'
import { jsonOf, psp } from '../cli/helpers.ts'
import { missing, SECRET, startHandler } from './programs.ts'

const ONLY = [
  'valid,tampered,wrong_secret,missing_header,garbage_header,non_ascii_header,stale,future,changed_time,v1_only',
  'broken_json,unknown_event,unknown_fields,cyrillic,raw_body,large_metadata,slow_body',
].join(',')

async function audit(url: string, only: string): Promise<AuditReport> {
  return jsonOf(await psp(['audit', url, '--secret', SECRET, '--only', only, '--json'])) as AuditReport
}

const FRAMEWORKS = await Promise.all(
  (Object.keys(RAW_BODY_CODE) as Framework[]).map(async (name) => ({ name, why: await missing(name) })),
)
const isMissing = (wanted: Framework) => FRAMEWORKS.some(({ name, why }) => name === wanted && why !== undefined)

describe.each(FRAMEWORKS)('$name', ({ name, why }) => {
  test.skipIf(why !== undefined)(
    `a handler with the suggested code passes the audit (${why ?? 'installed'})`,
    async () => {
      const { url, stop } = await startHandler(name, { rawBody: RAW_BODY_CODE[name] })
      try {
        const { checks } = await audit(url, ONLY)
        const unfit = checks.filter(({ result }) => result !== 'pass').map(({ id, got }) => `${id}: ${got}`)
        expect(unfit).toEqual([])
        expect(checks).toHaveLength(ONLY.split(',').length)
      } finally {
        await stop()
      }
    },
  )
})

describe.skipIf(isMissing('Express'))('Express without the suggested code', () => {
  test.each([
    ['no type', 'express.raw({ limit: "2mb" })', '', 'valid', 'fail'],
    ['no limit', 'express.raw({ type: "application/json" })', '', 'large_metadata', 'fail'],
    ['a place below express.json()', RAW_BODY_CODE.Express, 'app.use(express.json())', 'valid', 'fail'],
  ])('a handler with %s fails', async (_, rawBody, before, check, result) => {
    const { url, stop } = await startHandler('Express', { rawBody, before })
    try {
      const { checks } = await audit(url, check)
      expect(checks).toMatchObject([{ id: check, result }])
    } finally {
      await stop()
    }
  })
})

describe.skipIf(isMissing('Fastify'))('Fastify', () => {
  test.each([
    ['with', 400],
    ['without', 413],
  ])('a body of 1.5 MB %s bodyLimit gets %i', async (how, status) => {
    const code = RAW_BODY_CODE.Fastify
    expect(code).toContain('bodyLimit: 2097152')
    const rawBody = how === 'with' ? code : code.replace(', bodyLimit: 2097152', '')
    const { url, stop } = await startHandler('Fastify', { rawBody })
    try {
      const headers = { 'Content-Type': 'application/json' }
      expect((await fetch(url, { method: 'POST', headers, body: `"${'x'.repeat(1_500_000)}"` })).status).toBe(status)
    } finally {
      await stop()
    }
  })
})

const documents = [
  'README.md',
  ...readdirSync(new URL('../../docs', import.meta.url), { recursive: true }).map((path) => `docs/${path}`),
].filter((path) => path.endsWith('.md'))

test('every document that names express.raw() shows the tested code', () => {
  const shown = documents.flatMap((path) => {
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    return [...text.matchAll(/express\.raw\([^)]*\)/g)].map(([code]) => code.replaceAll("'", '"'))
  })
  expect(shown.length).toBeGreaterThan(1)
  expect([...new Set(shown)]).toEqual([RAW_BODY_CODE.Express])
})
