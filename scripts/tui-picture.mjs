// Takes the picture of the live view for the README: `npm run build && npm run pictures`. Needs tmux. The view runs
// in a terminal of its own, with a little shop's day in it, and is written to docs/pictures/ui.svg as it stands there.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ansiToSvg } from './ansi-svg.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PSP = join(ROOT, 'bin/psp.js')
const SOCKET = `psp-picture-${process.pid}`
const SIZE = ['-x', '150', '-y', '46']

const cwd = mkdtempSync(join(tmpdir(), 'psp-picture-'))
let asked = 0
const shop = createServer((request, response) => {
  request.resume()
  response.statusCode = ++asked === 3 ? 500 : 200
  response.end('{"ok":true}')
})
await new Promise((resolve) => shop.listen(3000, '127.0.0.1', resolve))

try {
  const env = { PATH: process.env.PATH, HOME: cwd, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', TZ: 'UTC' }
  const own = {
    PSP_CLOCK: 'frozen@2026-05-06T12:00:00Z',
    PSP_ENDPOINT: 'http://127.0.0.1:3000/hooks',
    PSP_RANDOM_SEED: '7',
  }
  const command = `${process.execPath} ${PSP} ui`
  tmux(['-f', '/dev/null', 'new-session', '-d', ...SIZE, '-c', cwd, command], { ...env, ...own })
  await shows('No payments yet')
  await day(env)
  await keys('j', 'j', 'Enter')
  await shows('→ request')
  mkdirSync(join(ROOT, 'docs/pictures'), { recursive: true })
  const screen = tmux(['capture-pane', '-p', '-e'])
  writeFileSync(join(ROOT, 'docs/pictures/ui.svg'), ansiToSvg(screen, 'psp ui: payments, and one of them in detail'))
  await keys('q')
} finally {
  shop.close()
  shop.closeAllConnections()
  try {
    tmux(['kill-server'])
  } catch {
    // It has ended with the view.
  }
  rmSync(cwd, { recursive: true, force: true })
}

/** Payments that end in each way, a webhook that is tried twice, a refund, a payout. */
async function day(env) {
  const run = promisify(execFile)
  // The shop answers in this process, so nothing may block it.
  const psp = async (...args) =>
    JSON.parse((await run(process.execPath, [PSP, ...args, '--json'], { cwd, env })).stdout)
  const pay = (amount, order, ...more) => psp('payments', 'create', '--amount', amount, '--order-id', order, ...more)
  const wait = (by) => psp('clock', 'advance', by)
  await pay('499000', 'A-1041', '--method', 'tpay')
  await wait('1m')
  await pay('129900', 'A-1042', '--method', 'cards', '--outcome', 'failed:insufficient_funds')
  await wait('40s')
  const { payment: tea } = await pay('74900', 'A-1043 чай', '--method', 'sbp')
  await wait('5s')
  await wait('15s')
  await psp('payments', 'refund', tea.id, '--amount', '24900', '--reason', 'one box came broken')
  await pay('1500050', 'A-1044', '--method', 'sberpay', '--outcome', 'pending')
  await wait('3s')
  await pay('219000', 'A-1045', '--method', 'any', '--outcome', 'requires_action')
  await wait('2s')
}

function tmux(args, env) {
  return execFileSync('tmux', ['-L', SOCKET, ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
    ...(env === undefined ? {} : { env }),
  })
}

async function keys(...names) {
  for (const name of names) {
    tmux(['send-keys', name])
    await sleep(300)
  }
}

async function shows(text) {
  for (let tries = 0; tries < 300; tries++) {
    if (tmux(['capture-pane', '-p']).includes(text)) return
    await sleep(100)
  }
  throw new Error(`The view does not show ${text}:\n${tmux(['capture-pane', '-p'])}`)
}
