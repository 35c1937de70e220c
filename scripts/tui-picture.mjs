// Makes the picture of the terminal view for the README: `npm run build && npm run pictures`. It needs tmux, which runs
// the view in a separate terminal with sample payments. The screen is written to docs/pictures/ui.svg.
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
let requests = 0
const shop = createServer((request, response) => {
  request.resume()
  response.statusCode = ++requests === 3 ? 500 : 200
  response.end('{"ok":true}')
})
await new Promise((resolve) => shop.listen(3000, '127.0.0.1', resolve))

try {
  const env = { PATH: process.env.PATH, HOME: cwd, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', TZ: 'UTC' }
  const settings = {
    PSP_CLOCK: 'frozen@2026-05-06T12:00:00Z',
    PSP_ENDPOINT: 'http://127.0.0.1:3000/hooks',
    PSP_RANDOM_SEED: '7',
  }
  const command = `${process.execPath} ${PSP} ui`
  tmux(['-f', '/dev/null', 'new-session', '-d', ...SIZE, '-c', cwd, command], { ...env, ...settings })
  await waitForText('No payments yet')
  await createPayments(env)
  await pressKeys('j', 'j', 'Enter')
  await waitForText('→ request')
  mkdirSync(join(ROOT, 'docs/pictures'), { recursive: true })
  const screen = tmux(['capture-pane', '-p', '-e'])
  writeFileSync(join(ROOT, 'docs/pictures/ui.svg'), ansiToSvg(screen, 'psp ui: payments, and one of them in detail'))
  await pressKeys('q')
} finally {
  shop.close()
  shop.closeAllConnections()
  try {
    tmux(['kill-server'])
  } catch {
    // The server may have exited with the view.
  }
  rmSync(cwd, { recursive: true, force: true })
}

/** Creates payments with every outcome, a webhook with two attempts, and a refund. */
async function createPayments(env) {
  const run = promisify(execFile)
  // The shop runs in this process, so nothing here can block.
  const psp = async (...args) =>
    JSON.parse((await run(process.execPath, [PSP, ...args, '--json'], { cwd, env })).stdout)
  const pay = (amount, order, ...more) => psp('payments', 'create', '--amount', amount, '--order-id', order, ...more)
  const advance = (by) => psp('clock', 'advance', by)
  await pay('499000', 'A-1041', '--method', 'tpay')
  await advance('1m')
  await pay('129900', 'A-1042', '--method', 'cards', '--outcome', 'failed:insufficient_funds')
  await advance('40s')
  const { payment: tea } = await pay('74900', 'A-1043 чай', '--method', 'sbp')
  await advance('5s')
  await advance('15s')
  await psp('payments', 'refund', tea.id, '--amount', '24900', '--reason', 'one box came broken')
  await pay('1500050', 'A-1044', '--method', 'sberpay', '--outcome', 'pending')
  await advance('3s')
  await pay('219000', 'A-1045', '--method', 'any', '--outcome', 'requires_action')
  await advance('2s')
}

function tmux(args, env) {
  return execFileSync('tmux', ['-L', SOCKET, ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
    ...(env === undefined ? {} : { env }),
  })
}

async function pressKeys(...names) {
  for (const name of names) {
    tmux(['send-keys', name])
    await sleep(300)
  }
}

async function waitForText(text) {
  for (let tries = 0; tries < 300; tries++) {
    if (tmux(['capture-pane', '-p']).includes(text)) return
    await sleep(100)
  }
  throw new Error(`The view does not show ${text}:\n${tmux(['capture-pane', '-p'])}`)
}
