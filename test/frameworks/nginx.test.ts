// The line for nginx in the fix of large_metadata, in front of a handler.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/audit/checks.ts'
import type { AuditReport } from '../../src/audit/run.ts'
import { RAW_BODY_CODE } from '../../src/domain/remediation.ts'
import { jsonOf, psp } from '../cli/helpers.ts'
import { reservedPort } from '../ports.ts'
import { missing, SECRET, startHandler } from './programs.ts'

const candidates = ['/usr/sbin/nginx', 'nginx']
const tried = await Promise.all(candidates.map((path) => execa(path, ['-v'], { reject: false })))
const NGINX = candidates.find((_, at) => tried[at]?.failed === false)
const why = NGINX === undefined ? 'nginx is not installed' : await missing('Express')

const fix = CHECKS.find(({ id }) => id === 'large_metadata')?.fix ?? ''
const SUGGESTED = /nginx: (client_max_body_size .*;)/.exec(fix)?.[1] ?? ''

/** nginx in front of the handler, until `stop`. */
async function startNginx(handler: string, limit: string) {
  const port = await reservedPort()
  const folder = mkdtempSync(join(tmpdir(), 'psp-nginx-'))
  // The workers of nginx may run as another user.
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'temp'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path temp/${name};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; error_log stderr error; pid nginx.pid; events {}
     http { access_log off; ${temporary.join(' ')} ${limit}
       server { listen 127.0.0.1:${port}; location / { proxy_pass ${new URL(handler).origin}; } } }`,
  )
  const child = execa(NGINX ?? '', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], { reject: false })
  const url = `http://127.0.0.1:${port}/hooks`
  await expect
    .poll(() =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await child
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

describe.skipIf(why !== undefined)(`a handler behind nginx (${why ?? 'installed'})`, () => {
  test.each([
    ['the suggested line', SUGGESTED, 'pass'],
    ['a lower limit', 'client_max_body_size 500k;', 'fail'],
  ])('the result of large_metadata with %s is as expected', async (_, limit, result) => {
    expect(limit).not.toBe('')
    const handler = await startHandler('Express', { rawBody: RAW_BODY_CODE.Express })
    const nginx = await startNginx(handler.url, limit)
    try {
      const ran = await psp(['audit', nginx.url, '--secret', SECRET, '--only', 'large_metadata', '--json'])
      const { checks } = jsonOf(ran) as AuditReport
      expect(checks).toMatchObject([{ result, fix }])
    } finally {
      await nginx.stop()
      await handler.stop()
    }
  })
})
