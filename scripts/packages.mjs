// Packs the executables in release/: `npm run packages`, after `npm run binary`. It writes a Debian package and a wheel
// for Linux on x64, an npm package for each executable, and an npm package that selects one of them.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ROOT } from './bundle-options.mjs'
import { TARGETS } from './executable/base-node.mjs'
import { writeSums } from './executable/sums.mjs'

const OUT = join(ROOT, 'release')
const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const DESCRIPTION = 'A payment service provider on your machine, with a simulator, as one executable'
/** The npm package that selects an executable. The packages of the targets have this name with a suffix. */
const NPM_NAME = 'psp-sandbox-cli'
const LICENCES = [join(ROOT, 'LICENSE'), join(OUT, 'THIRD-PARTY-LICENSES.txt'), join(OUT, 'LICENSE-node.txt')]
/** The names of the operating systems in npm. */
const NPM_SYSTEMS = { linux: 'linux', darwin: 'darwin', windows: 'win32' }

const fileOf = (target) => join(OUT, `psp-${version}-${target}${TARGETS[target].suffix}`)
const built = Object.keys(TARGETS).filter((target) => existsSync(fileOf(target)))

if (existsSync(fileOf('linux-x64'))) packAll()
else {
  process.stderr.write('There is no executable for Linux on x64. Run `npm run binary` first.\n')
  process.exitCode = 1
}

function packAll() {
  const folder = mkdtempSync(join(tmpdir(), 'psp-packages-'))
  try {
    const files = [packDeb(join(folder, 'deb')), packWheel()]
    for (const target of built) files.push(packExecutable(target, join(folder, target)))
    files.push(packSelector(join(folder, 'selector')))
    writeSums(OUT)
    for (const file of files)
      process.stdout.write(`${relative(ROOT, file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function packDeb(folder) {
  const completions = {
    bash: 'usr/share/bash-completion/completions/psp',
    zsh: 'usr/share/zsh/vendor-completions/_psp',
    fish: 'usr/share/fish/vendor_completions.d/psp.fish',
  }
  put(fileOf('linux-x64'), join(folder, 'usr/bin/psp'), 0o755)
  for (const [shell, path] of Object.entries(completions)) {
    write(join(folder, path), execFileSync(fileOf('linux-x64'), ['completion', shell]))
  }
  write(
    join(folder, 'usr/share/doc/psp-sandbox/copyright'),
    LICENCES.map((path) => readFileSync(path, 'utf8')).join('\n'),
  )
  const control = [
    'Package: psp-sandbox',
    `Version: ${version}`,
    'Architecture: amd64',
    'Maintainer: The authors of psp-sandbox <psp-sandbox@localhost>',
    `Installed-Size: ${Math.ceil(statSync(fileOf('linux-x64')).size / 1024)}`,
    'Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)',
    'Section: devel',
    'Priority: optional',
    `Description: ${DESCRIPTION}`,
  ]
  write(join(folder, 'DEBIAN/control'), `${control.join('\n')}\n`)
  const file = join(OUT, `psp-sandbox_${version}_amd64.deb`)
  const env = { ...process.env, SOURCE_DATE_EPOCH: '0' }
  // gzip, because xz takes a minute to save a tenth of the size, and level 6, because level 9 saves almost nothing.
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', folder, file], { env, stdio: 'pipe' })
  return file
}

/** The wheel is the test kit with the executable in it. */
function packWheel() {
  const script = join(ROOT, 'scripts/executable/wheel.py')
  const licences = LICENCES.slice(1)
  const args = [script, join(ROOT, 'kits/python'), fileOf('linux-x64'), OUT, ...licences]
  return execFileSync('python3', args, { encoding: 'utf8' }).trim()
}

function packExecutable(target, folder) {
  const [system, cpu] = target.split('-')
  const program = `bin/psp${TARGETS[target].suffix}`
  put(fileOf(target), join(folder, program), 0o755)
  for (const path of LICENCES) put(path, join(folder, path.slice(path.lastIndexOf('/') + 1)), 0o644)
  const experimental = target === 'linux-x64' ? '' : ' Experimental.'
  writeManifest(folder, {
    name: `${NPM_NAME}-${target}`,
    description: `The executable of psp-sandbox for ${system} on ${cpu}.${experimental}`,
    os: [NPM_SYSTEMS[system]],
    cpu: [cpu],
    files: ['bin', '*.txt'],
  })
  return packNpm(folder)
}

function packSelector(folder) {
  put(join(ROOT, 'scripts/executable/select.cjs'), join(folder, 'bin/psp.js'), 0o755)
  put(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'), 0o644)
  writeManifest(folder, {
    name: NPM_NAME,
    description: DESCRIPTION,
    bin: { psp: 'bin/psp.js' },
    files: ['bin'],
    optionalDependencies: Object.fromEntries(Object.keys(TARGETS).map((target) => [`${NPM_NAME}-${target}`, version])),
  })
  return packNpm(folder)
}

function writeManifest(folder, manifest) {
  write(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version, license }, null, 2)}\n`)
}

function packNpm(folder) {
  const options = { cwd: folder, encoding: 'utf8' }
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', OUT], options).trim()
  return join(OUT, name)
}

function put(from, to, mode) {
  mkdirSync(join(to, '..'), { recursive: true })
  copyFileSync(from, to)
  chmodSync(to, mode)
}

function write(path, content) {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
}
