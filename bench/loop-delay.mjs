// Asks a server that loads preload-loop-delay.mjs for the delay of its event loop.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newFolder } from './servers.mjs'

const FILE = join(newFolder(), 'delay.json')
process.env.PSP_BENCH_DELAY = FILE

/** Flags of Node for the server. */
export const MONITOR = ['--import', new URL('./preload-loop-delay.mjs', import.meta.url).href]

/** The delay since the last call, in ms. */
export async function loopDelay({ pid }) {
  rmSync(FILE, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(FILE)) await sleep(5)
  return JSON.parse(readFileSync(FILE, 'utf8'))
}
