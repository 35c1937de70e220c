// Builds a container image for Linux on x64 without a container engine: `npm run image`. The file in release/ is an OCI
// layout for `docker load`, `podman load` and `skopeo`. It needs `npm run binary` and Debian's packages.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from './bundle-options.mjs'
import { writeSums } from './executable/sums.mjs'

const OUT = join(ROOT, 'release')
const { version, description, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const EXECUTABLE = join(OUT, `psp-${version}-linux-x64`)
const NAME = 'psp-sandbox'
const IMAGE = join(OUT, `psp-${version}-image-linux-x64.tar`)

/** Libraries that Node is linked with, their licences, and the certificates of authorities. */
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1', 'gcc-12-base', 'ca-certificates']

/** Parts of the packages that psp does not use. */
const REMOVED = [
  'etc',
  'usr/lib/x86_64-linux-gnu/gconv',
  'usr/sbin',
  'usr/share/ca-certificates',
  'usr/share/gcc',
  'usr/share/gdb',
  'usr/share/lintian',
  'usr/share/man',
]

const USER = 65532

/** The date of all files. A fixed date gives the same digest at each build. */
const CREATED = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000)

const CONFIG = {
  User: `${USER}:${USER}`,
  ExposedPorts: { '7770/tcp': {} },
  // A server that other machines can reach does not start with the development credentials, so it generates others.
  Env: ['PATH=/usr/bin', 'PSP_HOST=0.0.0.0', 'PSP_GENERATE_CREDENTIALS=true'],
  Entrypoint: ['psp'],
  Cmd: ['serve', '--host', '0.0.0.0'],
  Volumes: { '/data': {} },
  WorkingDir: '/data',
  StopSignal: 'SIGTERM',
  Healthcheck: { Test: ['CMD', 'psp', 'doctor', '--ready'], Interval: 5e9, Timeout: 10e9, StartPeriod: 10e9 },
  Labels: {
    'org.opencontainers.image.title': 'psp-sandbox',
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
  },
}

const LICENCES = [
  [join(ROOT, 'LICENSE'), 'LICENSE'],
  [join(OUT, 'THIRD-PARTY-LICENSES.txt'), 'THIRD-PARTY-LICENSES.txt'],
  [join(OUT, 'LICENSE-node.txt'), 'LICENSE-node.txt'],
]

const TAR_FLAGS = [
  '--format=ustar',
  '--sort=name',
  `--mtime=@${CREATED.getTime() / 1000}`,
  '--owner=0',
  '--group=0',
  '--numeric-owner',
]

if (existsSync(EXECUTABLE)) build()
else fail(`There is no ${relative(ROOT, EXECUTABLE)}. Run \`npm run binary -- linux-x64\` first.`)

function build() {
  const folder = mkdtempSync(join(tmpdir(), 'psp-image-'))
  try {
    const layers = [
      systemLayer(join(folder, 'system'), join(folder, 'packages')),
      programLayer(join(folder, 'program')),
    ]
    const digest = writeImage(join(folder, 'image'), layers)
    writeSums(OUT)
    process.stdout.write(`${relative(ROOT, IMAGE)}  ${(statSync(IMAGE).size / 1e6).toFixed(1)} MB  ${digest}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The libraries, the user and the directories. There is no shell. */
function systemLayer(folder, packages) {
  downloadPackages(packages)
  const status = join(folder, 'var/lib/dpkg/status.d')
  mkdirSync(status, { recursive: true })
  for (const file of readdirSync(packages).sort()) {
    execFileSync('dpkg-deb', ['-x', join(packages, file), folder])
    // Vulnerability scanners read these files.
    writeFileSync(join(status, file.split('_')[0]), execFileSync('dpkg-deb', ['-f', join(packages, file)]))
  }
  const certificates = join(folder, 'usr/share/ca-certificates/mozilla')
  const names = readdirSync(certificates).sort()
  const bundle = names.map((name) => readFileSync(join(certificates, name), 'utf8')).join('')
  for (const path of REMOVED) rmSync(join(folder, path), { recursive: true, force: true })
  mkdirSync(join(folder, 'etc/ssl/certs'), { recursive: true })
  writeFileSync(join(folder, 'etc/ssl/certs/ca-certificates.crt'), bundle)
  writeFileSync(
    join(folder, 'etc/passwd'),
    `root:x:0:0:root:/root:/sbin/nologin\npsp:x:${USER}:${USER}:psp:/data:/sbin/nologin\n`,
  )
  writeFileSync(join(folder, 'etc/group'), `root:x:0:\npsp:x:${USER}:\n`)
  writeFileSync(join(folder, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  // Any user can run the image.
  for (const name of ['tmp', 'data']) {
    mkdirSync(join(folder, name))
    chmodSync(join(folder, name), 0o1777)
  }
  return packLayer(folder, `Debian packages: ${PACKAGES.join(', ')}`)
}

function downloadPackages(folder) {
  mkdirSync(folder)
  // By default apt downloads as another user, who cannot write to this directory.
  const names = PACKAGES.map((name) => (name === 'ca-certificates' ? name : `${name}:amd64`))
  execFileSync('apt-get', ['download', '-o', 'APT::Sandbox::User=root', ...names], { cwd: folder, stdio: 'pipe' })
}

function programLayer(folder) {
  const licences = join(folder, 'usr/share/doc/psp')
  mkdirSync(licences, { recursive: true })
  mkdirSync(join(folder, 'usr/bin'))
  copyFileSync(EXECUTABLE, join(folder, 'usr/bin/psp'))
  for (const [from, to] of LICENCES) copyFileSync(from, join(licences, to))
  return packLayer(folder, `psp ${version}`)
}

/** Returns a layer with the files of a folder. */
function packLayer(folder, comment) {
  const tar = execFileSync('tar', ['c', ...TAR_FLAGS, '-C', folder, '.'], { maxBuffer: 1e9 })
  return { comment, diffId: `sha256:${sha256(tar)}`, bytes: gzipSync(tar) }
}

function writeImage(folder, layers) {
  const blobs = join(folder, 'blobs/sha256')
  mkdirSync(blobs, { recursive: true })
  const store = (mediaType, bytes) => {
    const hash = sha256(bytes)
    writeFileSync(join(blobs, hash), bytes)
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length }
  }
  const stored = layers.map(({ bytes }) => store('application/vnd.oci.image.layer.v1.tar+gzip', bytes))
  const config = store(
    'application/vnd.oci.image.config.v1+json',
    json({
      created: CREATED.toISOString(),
      architecture: 'amd64',
      os: 'linux',
      config: CONFIG,
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: layers.map(({ comment }) => ({ created: CREATED.toISOString(), created_by: 'npm run image', comment })),
    }),
  )
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const manifest = store(mediaType, json({ schemaVersion: 2, mediaType, config, layers: stored }))
  const annotations = { 'org.opencontainers.image.ref.name': version, 'io.containerd.image.name': `${NAME}:${version}` }
  const platform = { architecture: 'amd64', os: 'linux' }
  writeFileSync(join(folder, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }))
  writeFileSync(
    join(folder, 'index.json'),
    json({ schemaVersion: 2, manifests: [{ ...manifest, annotations, platform }] }),
  )
  // Older versions of Docker read this file instead of the index.
  const path = ({ digest }) => `blobs/sha256/${digest.slice('sha256:'.length)}`
  const tags = [`${NAME}:${version}`]
  writeFileSync(
    join(folder, 'manifest.json'),
    json([{ Config: path(config), RepoTags: tags, Layers: stored.map(path) }]),
  )
  execFileSync('tar', ['cf', IMAGE, ...TAR_FLAGS, '-C', folder, '.'])
  return manifest.digest
}

function json(value) {
  return Buffer.from(JSON.stringify(value))
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
