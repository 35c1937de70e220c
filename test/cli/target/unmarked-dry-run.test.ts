import { expect, test } from 'vitest'
import { createDryRun } from '../../../src/cli/target/dry-run.ts'
import { UnexpectedResponseError } from '../../../src/client/errors.ts'

test('a response without the header of a dry run is an error, because the request may have had an effect', async () => {
  const fetch = async (url: string) =>
    new Response('{}', { status: 201, headers: url.endsWith('/health') ? { 'X-PSP-Dry-Run': 'true' } : {} })
  const url = 'http://127.0.0.1:7770/v1/public/payments'
  const dryRun = createDryRun()
  await expect(dryRun.wrap(fetch as never)(url, { method: 'POST', headers: {} })).rejects.toEqual(
    new UnexpectedResponseError(201, url, 'no X-PSP-Dry-Run header'),
  )
  expect(dryRun.planned).toEqual([])
})
