import { readFileSync } from 'node:fs'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { BIN } from './helpers.ts'

const { engines, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Runs psp with another `process.versions.node`, from which it reads the version. */
const under = (node: string) => {
  const versions = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${node}'}})`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`, BIN, '--version']
  return execa(process.execPath, args, { reject: false, timeout: 120_000 })
}

it('the package manifest allows the same versions of Node as psp', () => {
  expect(engines.node).toBe('^20.19.0 || >=22.12.0')
})

it.each(['20.19.0', '22.12.0', '23.0.0', '26.1.0'])('psp runs on Node %s', async (node) => {
  const ran = await under(node)
  expect(ran.exitCode).toBe(0)
  expect(ran.stdout).toBe(version)
})

it.each(['18.20.0', '20.18.3', '21.7.3', '22.11.0'])(
  'psp on Node %s prints only which version it needs',
  async (node) => {
    const ran = await under(node)
    expect(ran.exitCode).toBe(1)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toBe(
      `psp needs Node 20.19 or a later 20.x, or Node 22.12 or later; this is ${node}. Update Node and run it again.`,
    )
  },
)
