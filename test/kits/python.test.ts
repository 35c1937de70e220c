// The suite of the Python kit, with the wheel installed as a project would install it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TOOLS } from '../e2e/clients/tools.ts'
import { KITS, needs, run, temporary } from './suite.ts'

const KIT = join(KITS, 'python')
const BIN = join(TOOLS, 'kit-python/bin')

describe.skipIf(!existsSync(join(BIN, 'pytest')))(needs('Python', 'python3'), () => {
  test('the suite of the Python kit passes, with the README and each example shop', async () => {
    const installed = temporary()
    await run(join(BIN, 'pip'), ['install', '--no-deps', '--no-build-isolation', '--target', installed, KIT], KIT)
    const all = await run(join(BIN, 'pytest'), ['-q', '-p', 'no:cacheprovider'], join(KIT, 'tests'), {
      PYTHONPATH: installed,
      PYTHONDONTWRITEBYTECODE: '1',
    })
    expect(all).toMatch(/^\d+ passed in /m)
  })

  test('the types of the Python kit are complete', async () => {
    const args = ['--strict', '--cache-dir', join(TOOLS, 'kit-python/mypy'), 'psp_sandbox', 'tests/typed_async.py']
    expect(await run(join(BIN, 'mypy'), args, KIT)).toMatch(/^Success/)
  })
})
