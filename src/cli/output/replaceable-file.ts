// An existing file is replaced only if psp can generate it again, or with `--force`.
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { PlatformPath } from 'node:path'
import { usage } from '../failure.ts'
import { resolvePath } from '../input/resolve-path.ts'
import { toggle } from '../parsing/flags.ts'

export const FORCE = { force: toggle('--force', 'replace a file that already exists') }

/** Kinds of files that a command generates on each run, with how they begin. A file of the same kind may be replaced. */
const KINDS = {
  OPENAPI: { name: 'an OpenAPI document', start: /^\s*\{\s*"openapi"\s*:/ },
  JUNIT: { name: 'a JUnit report', start: /^\s*<\?xml[^>]*>\s*<testsuites?\b/ },
  AUDIT_PAGE: { name: 'an audit report', start: /^<!doctype html>[\s\S]{0,300}<title>(Passed|Failed): audit of / },
  EXPORT: { name: 'an export', start: /^\{"format":"psp-sandbox\// },
} as const

export type ReplaceableKind = keyof typeof KINDS

interface Write {
  readonly force: boolean
  /** Absent: every existing file is kept, for example an export, whose state no later run can generate. */
  readonly kind?: ReplaceableKind
  readonly host: { readonly cwd: string; readonly paths: PlatformPath }
}

/** Call it before any work. An empty file, a pipe and a device contain nothing to lose. @throws CliError exit 2 */
export function requireReplaceable(file: string, { force, kind, host }: Write): void {
  if (force || file === '-') return
  const start = startOf(resolvePath(host, file))
  if (start === '' || (kind !== undefined && KINDS[kind].start.test(start))) return
  const why = kind === undefined ? '' : ` and is not ${KINDS[kind].name}`
  throw usage(`${file} already exists${why}.`, 'Name another file, or add --force to replace it.')
}

const ENOUGH = 1024

/** The first characters of a regular file. A file that cannot be read is left to the write, which reports the reason. */
function startOf(path: string): string {
  try {
    // Opening a pipe would block until it has a writer.
    if (!statSync(path).isFile()) return ''
    const descriptor = openSync(path, 'r')
    try {
      const buffer = Buffer.alloc(Math.min(ENOUGH, fstatSync(descriptor).size))
      return buffer.toString('utf8', 0, readSync(descriptor, buffer))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}
