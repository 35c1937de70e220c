import { readFileSync } from 'node:fs'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { BIN } from './helpers.ts'

const { engines, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The bin as another Node would run it: it goes by `process.versions`. */
const under = (node: string) => {
  const versions = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${node}'}})`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`, BIN, '--version']
  return execa(process.execPath, args, { reject: false, timeout: 120_000 })
}

it('allows the Nodes it runs on, in its manifest as in its bin', () => {
  expect(engines.node).toBe('^20.19.0 || >=22.12.0')
})

it.each(['20.19.0', '20.20.2', '22.12.0', '22.99.0', '23.0.0', '24.0.0', '26.1.0'])('runs on Node %s', async (node) => {
  const ran = await under(node)
  expect(ran.exitCode).toBe(0)
  expect(ran.stdout).toBe(version)
})

// What it needs of Node came with 20.16 and 22.3, after 21 had ended.
it.each(['16.20.0', '18.20.0', '20.18.3', '21.7.3', '22.0.0', '22.2.0', '22.11.0'])(
  'says on Node %s which it needs, and nothing else',
  async (node) => {
    const ran = await under(node)
    expect(ran.exitCode).toBe(1)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toBe(
      `psp needs Node 20.19 or a newer 20, 22.12 or newer; this is ${node}. Update Node and run it again.`,
    )
  },
)
