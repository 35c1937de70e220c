// Builds psp as one executable file for each target: `npm run binary`, or `npm run binary -- linux-x64` for one. The
// files are in release/. It runs on Linux on x64, because it compiles the code of psp in the Node of that target.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from './bundle-options.mjs'
import { fetchNode, fetchNodeLicence, TARGETS } from './executable/base-node.mjs'
import { bundleExecutable } from './executable/bundle.mjs'
import { addressOf, cutElf, stripElf } from './executable/elf.mjs'
import { slimIcu } from './executable/slim-icu.mjs'
import { writeSums } from './executable/sums.mjs'

const OUT = join(ROOT, 'release')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The target that builds the others, and the only one that is tested. */
const HOST = 'linux-x64'

/** Fixed seeds, so that each build contains the same compiled code. */
const SEEDS = ['--hash-seed=1', '--random-seed=1']

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const require = createRequire(import.meta.url)
const POSTJECT = require.resolve('postject/dist/cli.js')

const asked = process.argv.slice(2)
const unknown = asked.find((each) => !Object.hasOwn(TARGETS, each))
if (unknown !== undefined) fail(`${unknown} is not a target. Targets: ${Object.keys(TARGETS).join(', ')}.`)
else if (`${process.platform}-${process.arch}` !== HOST)
  fail(`The executables are built on ${HOST}. Use such a machine.`)
else await buildAll(asked.length === 0 ? Object.keys(TARGETS) : asked)

async function buildAll(targets) {
  const folder = mkdtempSync(join(tmpdir(), 'psp-executable-'))
  mkdirSync(OUT, { recursive: true })
  try {
    await bundleExecutable(folder)
    const compiler = fileURLToPath(new URL('./executable/code-cache.mjs', import.meta.url))
    const compiled = join(folder, 'compiled')
    execFileSync(fetchNode(HOST), [...SEEDS, compiler, folder, compiled], { stdio: 'pipe' })
    for (const target of targets) {
      // V8 accepts compiled code only from the same version on the same processor.
      build(target, folder, ['assets', ...(target === HOST ? ['compiled'] : [])])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  copyFileSync(fetchNodeLicence(), join(OUT, 'LICENSE-node.txt'))
  copyFileSync(join(ROOT, 'dist/THIRD-PARTY-LICENSES.txt'), join(OUT, 'THIRD-PARTY-LICENSES.txt'))
  writeSums(OUT)
}

function build(target, folder, assetFolders) {
  const { suffix } = TARGETS[target]
  const file = join(OUT, `psp-${version}-${target}${suffix}`)
  const blob = writeBlob(folder, assetFolders)
  const base = readFileSync(fetchNode(target))
  writeFileSync(
    file,
    target.startsWith('linux-') ? buildForLinux(base, blob, folder) : inject(base, blob, target, folder),
  )
  chmodSync(file, 0o755)
  const label = target === HOST ? '' : '  experimental: built, but not tested'
  process.stdout.write(`${relative(ROOT, file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB${label}\n`)
}

function buildForLinux(base, blob, folder) {
  const { start, end } = slimIcu(base)
  const unused = [addressOf(base, start), addressOf(base, end)]
  // Symbols cannot be removed after the injection (nodejs/postject#90).
  return cutElf(inject(stripElf(base), blob, HOST, folder), ...unused)
}

/** Node writes the blob: the main script, and each file of the folders as an asset. */
function writeBlob(folder, assetFolders) {
  const assets = Object.fromEntries(assetFolders.flatMap((each) => filesIn(join(folder, each))))
  const config = join(folder, 'blob.json')
  const output = join(folder, 'blob')
  const options = {
    main: join(folder, 'main.cjs'),
    output,
    assets,
    disableExperimentalSEAWarning: true,
    // `vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER` would print a warning.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Otherwise NODE_OPTIONS for another version of Node would stop psp.
    execArgvExtension: 'none',
  }
  writeFileSync(config, JSON.stringify(options))
  execFileSync(fetchNode(HOST), ['--experimental-sea-config', config], { stdio: 'pipe' })
  return readFileSync(output)
}

/** Returns the files of a folder by their relative paths, sorted, so that each build is the same. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [relative(folder, path), path])
}

/** Returns the executable. postject runs as a separate process, because it prints warnings that do not matter. */
function inject(node, blob, target, folder) {
  const [file, resource] = [join(folder, 'injected'), join(folder, 'resource')]
  writeFileSync(file, node)
  writeFileSync(resource, blob)
  const flags = target.startsWith('darwin-') ? ['--macho-segment-name', 'NODE_SEA'] : []
  execFileSync(process.execPath, [POSTJECT, file, 'NODE_SEA_BLOB', resource, '--sentinel-fuse', FUSE, ...flags], {
    stdio: 'pipe',
  })
  return readFileSync(file)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
