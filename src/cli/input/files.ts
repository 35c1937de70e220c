// Resolves paths, reads small files, and rejects files that a command must not use or replace.
import { closeSync, fstatSync, openSync, readFileSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { usageError } from '../failure.ts'
import type { HostProcess } from '../host-process.ts'

type PathContext = Pick<HostProcess, 'cwd' | 'paths'>

export function resolvePath({ cwd, paths }: PathContext, name: string): string {
  return paths.resolve(cwd, name)
}

/** Returns the path with links resolved, or unchanged if it does not exist. */
export const realPath = (path: string): string => existingPath(path) ?? path

function existingPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** The limit of Linux for the links of one path. */
const MAX_LINKS = 40

/**
 * Whether the path is that of a descriptor, such as stdout. The shell may write to the same file, so none replaces it.
 */
export const isDescriptor = (path: string): boolean => /^\/(?:proc|dev\/fd)\//.test(path)

/**
 * Returns the path of the file that a write to this path creates or replaces. It follows links, also to files that do
 * not exist yet. It does not follow the link of a descriptor, or links that form a loop.
 */
export function writtenPath(path: string, links = 0): string {
  const parent = dirname(path)
  if (parent === path || links > MAX_LINKS) return path
  // The parent comes first, because in `link/..` the system goes to the parent of the target.
  const folder = existingPath(parent) ?? writtenPath(parent, links)
  const name = join(folder, basename(path))
  if (isDescriptor(name)) return name
  const target = linkTarget(name)
  if (target === undefined) return existingPath(name) ?? name
  return writtenPath(isAbsolute(target) ? target : `${folder}${sep}${target}`, links + 1)
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

export function dataFolder(session: {
  readonly host: PathContext
  readonly values: { readonly data: string }
}): string {
  return resolvePath(session.host, session.values.data)
}

/** Returns false only if the directory certainly does not exist. A directory that this user may not read may exist. */
export function mayExist(folder: string): boolean {
  try {
    statSync(folder)
    return true
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))
  }
}

/** Returns a hint if Git Bash has converted a path that begins with `/` to a Windows path. */
export function shellHint(text: string): string | undefined {
  if (!/^[a-z]:\/.*\b(?:git|msys\d*|cygwin\d*)\//i.test(text)) return undefined
  return 'Git Bash converts a leading / to a Windows path. Write // instead, or set MSYS_NO_PATHCONV=1.'
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'permission denied (EACCES)',
  EPERM: 'permission denied (EPERM)',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  EEXIST: 'a file or a dangling link has this name',
  ELOOP: 'its links form a loop',
  EINVAL: 'the file name is not valid',
  EBUSY: 'another program uses it',
}

export function fileReason(error: unknown): string {
  const { code, message = String(error) } = (error ?? {}) as { code?: unknown; message?: string }
  return REASONS[String(code)] ?? (message.includes('null bytes') ? 'the file name is not valid' : message)
}

const MIB = 1024 * 1024

/**
 * Returns the bytes of a regular file that should be small. The limit keeps a wrong file from filling the memory.
 * @throws Error that `fileReason` explains, also if the file is longer than 1 MiB or is not a regular file
 */
export function readSmallFile(path: string): Buffer {
  const found = statSync(path)
  // A pipe or a device could block the process. `readFileSync` itself rejects a directory.
  if (!found.isFile() && !found.isDirectory()) throw new Error('it is a pipe or a device')
  if (found.size > MIB) throw new Error('it is longer than 1 MiB')
  return readFileSync(path)
}

/** If the path cannot be read, returns false, and the later write reports the reason. */
function isOtherThanDirectory(path: string): boolean {
  try {
    return !statSync(path).isDirectory()
  } catch {
    return false
  }
}

/**
 * Rejects `-` for a file or a directory that cannot be stdout. Otherwise, the command would create one with this name.
 * @param hint says what to do instead
 * @throws CliError exit 2
 */
export function rejectStdout(flag: string, name: string | undefined, hint: string): void {
  if (name === '-') throw usageError(`${flag} cannot be -, because it cannot write to stdout.`, hint)
}

/**
 * Rejects the name of an existing file, and stdout, for a directory that the command creates.
 * @throws CliError exit 2
 */
export function requireDirectory(flag: string, name: string, host: PathContext): void {
  const hint = `Name a new or existing directory with ${flag}.`
  rejectStdout(flag, name, hint)
  if (!isOtherThanDirectory(resolvePath(host, name))) return
  throw usageError(`${flag} needs a directory, and ${name} is not one.`, hint)
}

/**
 * Rejects an output file that the command also reads or writes for another purpose.
 * @param others other files that the command reads or writes
 * @throws CliError exit 2 if the file of the flag is one of them
 */
export function requireOtherFile(
  flag: string,
  file: string | undefined,
  others: readonly (string | undefined)[],
  host: PathContext,
): void {
  if (file === undefined || file === '-') return
  const pathOf = (name: string) => writtenPath(resolvePath(host, name))
  const same = others.find((other) => other !== undefined && other !== '-' && pathOf(other) === pathOf(file))
  if (same === undefined) return
  throw usageError(`${flag} names ${same}, which this command also uses.`, `Name another file with ${flag}.`)
}

/** Kinds of files that a command can generate again, and how they begin. A file of the same kind may be replaced. */
const KINDS = {
  OPENAPI: { name: 'an OpenAPI document', start: /^\s*\{\s*"openapi"\s*:/ },
  JUNIT: { name: 'a JUnit report', start: /^\s*<\?xml[^>]*>\s*<testsuites?\b/ },
  AUDIT_PAGE: { name: 'an audit report', start: /^<!doctype html>[\s\S]{0,300}<title>(Passed|Failed): audit of / },
  EXPORT: { name: 'an export', start: /^\{"format":"psp-sandbox\// },
} as const

export type ReplaceableKind = keyof typeof KINDS

interface Replacement {
  readonly force: boolean
  /** If absent, no existing file is replaced. */
  readonly kind?: ReplaceableKind
  readonly host: PathContext
}

/**
 * Rejects a file that psp cannot generate again, unless `--force` is given. Call it before any work. An empty file, a
 * pipe or a device is accepted, because it contains nothing to lose.
 * @throws CliError exit 2
 */
export function requireReplaceable(file: string, { force, kind, host }: Replacement): void {
  if (force || file === '-') return
  const start = startOf(resolvePath(host, file))
  if (start === '' || (kind !== undefined && KINDS[kind].start.test(start))) return
  const why = kind === undefined ? '' : ` and is not ${KINDS[kind].name}`
  throw usageError(`${file} already exists${why}.`, 'Name another file, or add --force to replace it.')
}

const START_LENGTH = 1024

/** Returns the first characters of a regular file, or '' if it cannot be read: the later write reports the reason. */
function startOf(path: string): string {
  try {
    // Opening a pipe would block until the pipe has a writer.
    if (!statSync(path).isFile()) return ''
    const descriptor = openSync(path, 'r')
    try {
      const buffer = Buffer.alloc(Math.min(START_LENGTH, fstatSync(descriptor).size))
      return buffer.toString('utf8', 0, readSync(descriptor, buffer))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}
