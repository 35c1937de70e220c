// A disk in memory. Tests can make its operations fail, kill its process or cut its power.
import { basename, dirname, join } from 'node:path'
import type { FileSystemPort } from '../../src/store/folder/file-system.ts'

interface File {
  readonly id: number
  bytes: Buffer
  /** The content that survives a power cut. */
  synced: Buffer
  modified: number
}

type Names = Map<string, File>

interface Folder {
  now: Names
  synced: Names
  /** The folder itself survives a power cut: its parent was synced after it was made. */
  durable: boolean
}

export interface Disk {
  readonly port: FileSystemPort
  /** Every operation that can fail, in order, such as `write journal/000000000001.ndjson`. */
  readonly calls: string[]
  /** Called before each of these operations. If it returns an error, the operation fails. A write first writes `taken` bytes. */
  before: (call: string, n: number) => undefined | { taken: number; error: Error }
  /** The clock of the disk, in ms. */
  now: number
  /** Returns the disk as another process finds it after a kill. */
  afterKill(): Disk
  /** Returns the disk after a power cut, with a random part of the data that was not synced. */
  afterPowerCut(draw: () => number): Disk
}

export function diskError(code = 'ENOSPC'): Error {
  return Object.assign(new Error(`${code}: an error of the test`), { code })
}

const HOME = '/home'

/** Creates a disk with the directory `/home`. */
export function memoryDisk(
  folders: Map<string, Folder> = new Map([[HOME, { now: new Map(), synced: new Map(), durable: true }]]),
): Disk {
  const open = new Map<number, { file: File; path: string }>()
  let lastFd = 2
  let lastFile = Math.max(0, ...[...folders.values()].flatMap(({ now }) => [...now.values()].map(({ id }) => id)))
  const calls: string[] = []
  const disk: Disk = {
    port: createPort(),
    calls,
    now: 0,
    before: () => undefined,
    afterKill,
    afterPowerCut,
  }
  return disk

  function check(call: string, path: string): undefined | { taken: number; error: Error } {
    const name = `${call} ${path.split('.psp/')[1] ?? ''}`
    calls.push(name)
    return disk.before(name, calls.length)
  }

  function fail(call: string, path: string): void {
    const failure = check(call, path)
    if (failure !== undefined) throw failure.error
  }

  function names(path: string): Names {
    const found = folders.get(dirname(path))
    if (found === undefined) throw diskError('ENOENT')
    return found.now
  }

  function handle(fd: number) {
    const found = open.get(fd)
    if (found === undefined) throw diskError('EBADF')
    return found
  }

  function createPort(): FileSystemPort {
    const port: FileSystemPort = {
      open(path, flags) {
        const known = names(path).get(basename(path))
        if (flags !== 'r' && (known === undefined || flags !== 'a')) fail('open', path)
        if (flags === 'wx' && known !== undefined) throw diskError('EEXIST')
        if (flags === 'r' && known === undefined) throw diskError('ENOENT')
        const file = known ?? { id: ++lastFile, bytes: Buffer.alloc(0), synced: Buffer.alloc(0), modified: disk.now }
        if (flags === 'w') file.bytes = Buffer.alloc(0)
        names(path).set(basename(path), file)
        open.set(++lastFd, { file, path })
        return lastFd
      },
      write(fd, bytes) {
        const { file, path } = handle(fd)
        const failure = check('write', path)
        const taken = Math.min(failure?.taken ?? bytes.length, bytes.length)
        file.bytes = Buffer.concat([file.bytes, bytes.subarray(0, taken)])
        file.modified = disk.now
        if (failure !== undefined) throw failure.error
        return taken
      },
      sync(fd) {
        const { file, path } = handle(fd)
        fail('sync', path)
        file.synced = file.bytes
      },
      async datasync(fd) {
        const { file, path } = handle(fd)
        const { bytes } = file
        const failure = check('datasync', path)
        await Promise.resolve()
        if (failure !== undefined) throw failure.error
        file.synced = bytes
      },
      writeAsync: async (fd, bytes) => port.write(fd, bytes),
      async readAsync(fd, bytes, position) {
        const rest = handle(fd).file.bytes.subarray(position, position + bytes.length)
        bytes.set(rest)
        return rest.length
      },
      truncate(fd, size) {
        const { file, path } = handle(fd)
        fail('truncate', path)
        file.bytes = file.bytes.subarray(0, size)
      },
      stat(target) {
        if (typeof target === 'string' && folders.has(target)) return { id: target, size: 0 }
        const { file, path } = typeof target === 'number' ? handle(target) : { file: undefined, path: target }
        const named = folders.get(dirname(path))?.now.get(basename(path))
        const found = file ?? named
        return found && { id: String(found.id), size: found.bytes.length }
      },
      close: (fd) => void open.delete(fd),
      read: (path, most) => folders.get(dirname(path))?.now.get(basename(path))?.bytes.subarray(0, most),
      readAt(path, position, length) {
        const file = names(path).get(basename(path))
        if (file === undefined) throw Object.assign(new Error(`no file ${path}`), { code: 'ENOENT' })
        return file.bytes.subarray(position, position + length)
      },
      modified: (path) => folders.get(dirname(path))?.now.get(basename(path))?.modified,
      overwrite(path, known, bytes) {
        const file = names(path).get(basename(path))
        if (file?.bytes.equals(known) !== true) return false
        file.bytes = Buffer.from(bytes)
        file.modified = disk.now
        return true
      },
      size: (path) => folders.get(dirname(path))?.now.get(basename(path))?.bytes.length ?? 0,
      list: (folder) => [...(folders.get(folder)?.now.keys() ?? [])].sort(),
      rename(from, to) {
        fail('rename', to)
        const file = names(from).get(basename(from))
        if (file === undefined) throw diskError('ENOENT')
        names(from).delete(basename(from))
        names(to).set(basename(to), file)
      },
      link(from, to) {
        fail('link', to)
        if (names(to).has(basename(to))) throw diskError('EEXIST')
        const file = names(from).get(basename(from))
        if (file === undefined) throw diskError('ENOENT')
        names(to).set(basename(to), file)
      },
      remove(path) {
        fail('remove', path)
        folders.get(dirname(path))?.now.delete(basename(path))
      },
      makeFolder(path) {
        if (folders.has(path)) return
        fail('makeFolder', path)
        folders.set(path, { now: new Map(), synced: new Map(), durable: false })
      },
      removeFolder(path) {
        const folder = folders.get(path)
        if (folder === undefined) throw diskError('ENOENT')
        if (folder.now.size > 0 || [...folders.keys()].some((one) => dirname(one) === path))
          throw diskError('ENOTEMPTY')
        fail('removeFolder', path)
        folders.delete(path)
      },
      removeTree(path) {
        fail('removeTree', path)
        for (const each of [...folders.keys()]) {
          if (each === path || each.startsWith(`${path}/`)) folders.delete(each)
        }
      },
      syncFolderAsync: async (path) => port.syncFolder(path),
      syncFolder(path) {
        fail('syncFolder', join(path, '/'))
        const folder = folders.get(path)
        if (folder !== undefined) folder.synced = new Map(folder.now)
        for (const [other, made] of folders) if (dirname(other) === path) made.durable = true
      },
    }
    return port
  }

  function afterKill(): Disk {
    return copy(
      folders,
      ({ now }) => now,
      ({ bytes }) => bytes,
    )
  }

  function afterPowerCut(draw: () => number): Disk {
    const lost = [...folders].filter(([, { durable }]) => !durable && draw() < 0.5).map(([path]) => path)
    const left = [...folders].filter(([path]) => !lost.some((gone) => path === gone || path.startsWith(`${gone}/`)))
    return copy(
      new Map(left),
      ({ now, synced }) => (draw() < 0.5 ? now : synced),
      ({ bytes, synced }) => {
        if (draw() < 0.3) return synced
        const isLonger = bytes.length >= synced.length && bytes.subarray(0, synced.length).equals(synced)
        const from = isLonger ? synced.length : 0
        return bytes.subarray(0, from + Math.floor(draw() * (bytes.length - from + 1)))
      },
    )
  }

  function copy(
    from: ReadonlyMap<string, Folder>,
    which: (folder: Folder) => Names,
    bytesOf: (file: File) => Buffer,
  ): Disk {
    const files = new Map<File, File>()
    const copyOf = (file: File) => {
      const bytes = bytesOf(file)
      const made = files.get(file) ?? { id: file.id, bytes, synced: bytes, modified: file.modified }
      files.set(file, made)
      return made
    }
    const copied = [...from].map(([path, folder]) => {
      const kept = new Map([...which(folder)].map(([name, file]) => [name, copyOf(file)]))
      return [path, { now: kept, synced: new Map(kept), durable: true }] as const
    })
    return memoryDisk(new Map(copied))
  }
}
