// The forms in which psp is released, unpacked in a temporary directory: their sizes, and how to start each.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PSP } from './servers.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const released = (name) => join(ROOT, 'release', name)

export const EXECUTABLE = released(`psp-${version}-linux-x64`)

const folder = mkdtempSync(join(tmpdir(), 'psp-forms-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/**
 * Returns the forms whose files exist. `bytes` is the size of the file, `unpacked` the size of its content, and
 * `packed` its size with xz. `command` starts psp. It is missing if this machine lacks the program that unpacks the
 * form.
 */
export function releaseForms() {
  const forms = [npmPackage(), executable(), debianPackage(), wheel(), image()]
  return forms.filter((form) => form !== undefined)
}

function npmPackage() {
  const [{ size, unpackedSize }] = JSON.parse(run('npm', ['pack', '--dry-run', '--json'], { cwd: ROOT }))
  return { form: 'npm package', bytes: size, unpacked: unpackedSize, command: [process.execPath, PSP] }
}

function executable() {
  const { size } = statSync(EXECUTABLE)
  const packed = Number(run('sh', ['-c', 'xz -c -T2 "$0" | wc -c', EXECUTABLE]))
  return { form: 'executable', bytes: size, packed, unpacked: size, command: [EXECUTABLE] }
}

function debianPackage() {
  return unpackedForm('Debian package', `psp-sandbox_${version}_amd64.deb`, (file, to) => {
    run('dpkg-deb', ['-x', file, to])
    return [join(to, 'usr/bin/psp')]
  })
}

function wheel() {
  return unpackedForm('Python wheel', `psp_sandbox-${version}-py3-none-manylinux_2_28_x86_64.whl`, (file, to) => {
    run('python3', ['-m', 'zipfile', '-e', file, to])
    chmodSync(join(to, 'psp_sandbox/bin/psp'), 0o755)
    // The command of the wheel, as pip writes it.
    const main = 'from psp_sandbox.executable import main; main()'
    return ['env', `PYTHONPATH=${to}`, 'python3', '-c', main]
  })
}

function image() {
  return unpackedForm('image', `psp-${version}-image-linux-x64.tar`, (file, to) => {
    run('tar', ['-xf', file, '-C', to])
    run('umoci', ['unpack', '--image', `${to}:${version}`, `${to}-bundle`])
    run('rm', ['-rf', to])
    return ['chroot', `${to}-bundle/rootfs`, '/usr/bin/psp']
  })
}

/** `unpack` returns the command that starts psp. It throws if the program that unpacks is missing. */
function unpackedForm(form, name, unpack) {
  const file = released(name)
  if (!existsSync(file)) return undefined
  const to = join(folder, name)
  mkdirSync(to)
  const { size: bytes } = statSync(file)
  try {
    const command = unpack(file, to)
    const starts = spawnSync(command[0], [...command.slice(1), '--version']).status === 0
    const unpacked = Math.max(
      ...readdirSync(folder)
        .filter((each) => each.startsWith(name))
        .map((each) => sizeOf(join(folder, each))),
    )
    return { form, bytes, unpacked, command: starts ? command : undefined }
  } catch {
    return { form, bytes }
  }
}

function sizeOf(path) {
  const entry = statSync(path, { throwIfNoEntry: false })
  if (!entry?.isDirectory()) return entry?.size ?? 0
  return readdirSync(path).reduce((sum, each) => sum + sizeOf(join(path, each)), 0)
}

const run = (program, args, options = {}) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], ...options })
