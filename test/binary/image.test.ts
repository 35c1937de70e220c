// The image, unpacked by umoci and run in namespaces as a container engine runs it: with psp as process 1.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { refusingPort, reservedPort } from '../ports.ts'
import { isBuilt, needsRelease, ROOT, released, VERSION } from './release.ts'

const IMAGE = released(`psp-${VERSION}-image-linux-x64.tar`)
const isInstalled = (name: string) => spawnSync(name, ['--version']).status === 0
const canRun = isInstalled('umoci') && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0

interface ImageConfig {
  readonly User: string
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Env: readonly string[]
  readonly WorkingDir: string
  readonly Healthcheck: { readonly Test: readonly string[] }
}

interface RunOptions {
  readonly user?: number
  readonly env?: readonly string[]
  readonly args?: readonly string[]
}

let folder: string
let rootfs: string
let config: ImageConfig
let volume: string

function blob(digest: string): Buffer {
  return readFileSync(join(folder, 'layout/blobs', digest.replace(':', '/')))
}

/** Returns the command that runs a program of the image with a read-only root, and with the volume at /data. */
function commandIn(words: readonly string[], { user = Number(config.User.split(':')[0]), env = [] }: RunOptions) {
  const mounts = [
    `mount --bind "${rootfs}" "${rootfs}"`,
    `mount -o remount,bind,ro "${rootfs}"`,
    `mount -t proc proc "${rootfs}/proc"`,
    `mount --bind "${volume}" "${rootfs}/data"`,
  ]
  const enter = ['unshare', `--root=${rootfs}`, `--wd=${config.WorkingDir}`, `--setuid=${user}`, `--setgid=${user}`]
  const script = `${mounts.join(' && ')} && exec env -i "$@"`
  const isolated = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh']
  return [...isolated, ...config.Env, ...env, `HOME=${config.WorkingDir}`, '/usr/bin/env', ...enter, ...words]
}

/** Starts the image with its default command, and resolves with its banner when it is ready. */
async function start(options: RunOptions = {}) {
  const port = await reservedPort()
  const env = [...(options.env ?? []), `PSP_PORT=${port}`]
  // `env` finds the programs of the host by their paths, because the PATH is that of the image.
  const words = commandIn([...config.Entrypoint, ...(options.args ?? config.Cmd)], { ...options, env })
  const child = spawn('unshare', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const running: { pid?: number } = {}
  onTestFinished(async () => {
    // Not the process that started it, because a change of the user ends its tie to the server.
    if (running.pid !== undefined && child.exitCode === null) process.kill(running.pid, 'SIGKILL')
    else child.kill('SIGKILL')
    await ended
  })
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (bytes) => {
      text += bytes
      if (text.includes('Ctrl-C stops.')) resolve()
    })
    ended.then((code) => reject(new Error(`The container ended with ${code}: ${text}`)))
  })
  const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
  running.pid = Number(pid)
  return {
    url: `http://127.0.0.1:${port}`,
    env,
    pid: Number(pid),
    ended,
    text,
    value: (name: string) => new RegExp(`${name}=(\\S+)`).exec(text)?.[1] ?? '',
  }
}

/** Runs a command in a container, as `docker exec` does. */
async function runIn({ pid, env }: { pid: number; env: readonly string[] }, words: readonly string[]) {
  const enter = ['--target', String(pid), '--mount', '--pid', '--root', '--wd', '--setuid=65532', '--setgid=65532']
  const variables = [...config.Env, ...env, `HOME=${config.WorkingDir}`]
  return await execa('env', ['-i', ...variables, '/usr/bin/nsenter', ...enter, '--', ...words], {
    reject: false,
    stdin: 'ignore',
    timeout: 60_000,
  })
}

describe.skipIf(!isBuilt || !canRun)(`${needsRelease('the image')}, root and umoci`, () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'psp-image-'))
    const layout = join(folder, 'layout')
    mkdirSync(layout)
    execFileSync('tar', ['xf', IMAGE, '-C', layout])
    execFileSync('umoci', ['unpack', '--image', `${layout}:${VERSION}`, join(folder, 'bundle')], { stdio: 'pipe' })
    rootfs = join(folder, 'bundle/rootfs')
    // A container engine makes it.
    mkdirSync(join(rootfs, 'proc'))
    const [{ digest }] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests
    config = JSON.parse(blob(JSON.parse(blob(digest).toString()).config.digest).toString()).config
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeEach(() => {
    volume = mkdtempSync(join(folder, 'volume-'))
    execFileSync('chmod', ['1777', volume])
  })

  test('the unpacked image is at most 110 MB large', () => {
    const bytes = execFileSync('du', ['-sb', rootfs], { encoding: 'utf8' }).split('\t')[0]
    expect(Number(bytes)).toBeLessThanOrEqual(110e6)
    expect(statSync(IMAGE).size).toBeLessThanOrEqual(40e6)
  })

  test('the image contains no shell and no Node', () => {
    expect(readdirSync(join(rootfs, 'usr/bin'))).toEqual(['psp'])
    expect(existsSync(join(rootfs, 'bin'))).toBe(false)
  })

  test('the image has the documented user, command and health check', () => {
    expect(config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['psp'],
      Cmd: ['serve', '--host', '0.0.0.0'],
      Volumes: { '/data': {} },
      Healthcheck: { Test: ['CMD', 'psp', 'doctor', '--ready'] },
      Labels: { 'org.opencontainers.image.version': VERSION },
    })
  })

  test.skipIf(!isInstalled('skopeo'))(
    'skopeo reads the image as an OCI layout and as an archive of Docker',
    async () => {
      for (const source of [`oci-archive:${IMAGE}:${VERSION}`, `docker-archive:${IMAGE}:psp-sandbox:${VERSION}`]) {
        const { stdout } = await execa('skopeo', ['inspect', '--config', source])
        expect(JSON.parse(stdout).config.Entrypoint).toEqual(['psp'])
      }
    },
  )

  test('the same files give the same digest at each build', async () => {
    const index = readFileSync(join(folder, 'layout/index.json'), 'utf8')
    const { stdout } = await execa(process.execPath, ['scripts/image.mjs'], { cwd: ROOT })
    expect(index).toContain(/sha256:\w+/.exec(stdout)?.[0])
  })

  test('the first command of the README works in the image', async () => {
    const demo = await execa('unshare', commandIn([...config.Entrypoint, 'demo'], {}), { reject: false, all: true })
    expect([demo.exitCode, demo.all]).toEqual([0, expect.stringContaining('Everything worked.')])
  })

  test('the default command prints generated credentials, and a payment can be created with them', async () => {
    const server = await start()
    expect(server.value('PSP_API_KEY')).toMatch(/^sk_test_/)
    const created = await fetch(`${server.url}/v1/public/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.value('PSP_API_KEY')}`, 'content-type': 'application/json' },
      body: '{"amount":100}',
    })
    expect(created.status).toBe(201)
    const { payment_url } = (await created.json()) as { payment_url: string }
    expect((await fetch(payment_url)).status).toBe(200)
  })

  test('the health check succeeds if the server runs, and fails if its URL leads nowhere', async () => {
    const server = await start()
    const [, ...check] = config.Healthcheck.Test
    expect(await runIn(server, check)).toMatchObject({ exitCode: 0 })
    const { exitCode } = await runIn({ ...server, env: [`PSP_URL=http://127.0.0.1:${await refusingPort()}`] }, check)
    expect(exitCode).not.toBe(0)
  })

  test('SIGTERM ends the server within 2 s if it is process 1', async () => {
    const server = await start()
    const health = await fetch(`${server.url}/_psp/health`)
    expect(await health.json()).toMatchObject({ status: 'ok' })
    const before = performance.now()
    process.kill(server.pid, 'SIGTERM')
    expect(await server.ended).toBe(0)
    expect(performance.now() - before).toBeLessThan(2000)
  })

  test.each([0, 1000, 1_000_620_000])('the volume keeps the payments over a restart with the uid %i', async (user) => {
    const key = 'sk_test_ci0000_a0key0of0your0own0for0ci'
    const env = [`PSP_API_KEY=${key}`]
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const first = await start({ user, env })
    const created = await fetch(`${first.url}/v1/public/payments`, { method: 'POST', headers, body: '{"amount":100}' })
    const { payment } = (await created.json()) as { payment: { id: string } }
    process.kill(first.pid, 'SIGTERM')
    await first.ended
    const second = await start({ user, env })
    expect((await fetch(`${second.url}/v1/public/payments/${payment.id}`, { headers })).status).toBe(200)
  })

  test('a command in the container finds the server by the working directory', async () => {
    const server = await start({ env: ['PSP_CONTROL_TOKEN=a-token-of-your-own'] })
    const env = [...server.env, `PSP_API_KEY=${server.value('PSP_API_KEY')}`]
    const ran = await runIn({ ...server, env }, ['psp', 'payments', 'create', '--amount', '100', '--json'])
    expect([ran.exitCode, ran.stderr]).toEqual([0, ''])
  })
})
