// Compares the processor time of creates between two builds of psp, to show the cost of a change.
// node bench/compare-builds.mjs OTHER_TREE     Both must be built. The ratio is the time of the other to that of this one.
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { cpuTime, startServer } from './processes.mjs'
import { create } from './servers.mjs'

const HERE = fileURLToPath(new URL('..', import.meta.url))
const ROUNDS = 10
const REQUESTS = 5000
const CONNECTIONS = 32

const [other] = process.argv.slice(2)
if (other === undefined) throw new Error('Pass the folder of the other build: node bench/compare-builds.mjs ../before')

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

async function open(tree) {
  const flags = ['serve', '--ephemeral', '--clock', 'frozen', '--quiet', '--port']
  const server = await startServer((port) => [process.execPath, `${tree}/bin/psp.js`, ...flags, String(port)])
  return { server, pool: new Pool(server.url, { connections: CONNECTIONS }) }
}

/** @returns the processor time of a create in µs */
async function load({ server, pool }) {
  const before = cpuTime(server.pid)
  let left = REQUESTS
  const client = async () => {
    while (left-- > 0) {
      const { statusCode, body } = await pool.request(create())
      if (statusCode !== 201) throw new Error(`A create responded with ${statusCode}.`)
      await body.dump()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  return ((cpuTime(server.pid) - before) * 1000) / REQUESTS
}

const builds = [await open(HERE), await open(other)]
for (const build of builds) await load(build)
const rounds = []
for (let n = 0; n < ROUNDS; n++) {
  const [first, second] = n % 2 === 0 ? [0, 1] : [1, 0]
  const took = []
  took[first] = await load(builds[first])
  took[second] = await load(builds[second])
  rounds.push(took)
}
console.log(`this build    ${median(rounds.map(([here]) => here)).toFixed(1)} µs of processor time per create`)
console.log(`the other     ${median(rounds.map(([, there]) => there)).toFixed(1)} µs`)
console.log(`ratio         ${median(rounds.map(([here, there]) => there / here)).toFixed(2)}, over ${ROUNDS} rounds`)
for (const { server, pool } of builds) {
  await pool.destroy()
  await server.stop()
}
