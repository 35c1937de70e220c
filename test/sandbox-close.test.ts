import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assembleSandbox } from '../src/sandbox.ts'
import { readLock } from '../src/store/folder/lock.ts'

it('close releases the data directory even if the dispatcher fails to close', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'psp-close-'))
  try {
    const sandbox = await assembleSandbox({ folder })
    sandbox.dispatcher.close = () => Promise.reject(new Error('the dispatcher cannot close'))
    await expect(sandbox.close()).rejects.toThrow('cannot close')
    expect(readLock(folder)).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
