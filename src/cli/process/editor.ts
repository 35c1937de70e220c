// Opens text in the user's editor.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import { CliError } from '../failure.ts'
import type { HostProcess } from '../host-process.ts'
import { fileReason, readSmallFile } from '../input/files.ts'

interface Draft {
  /** The name of the file. Its extension selects the syntax colours of the editor. */
  readonly name: string
  readonly text: string
}

/**
 * Runs the editor of VISUAL or EDITOR, by default `vi` (on Windows `notepad`), and returns the saved text.
 * @param signal ends the editor
 * @throws CliError if the editor fails
 */
export async function editText(
  { name, text }: Draft,
  { env, paths }: Pick<HostProcess, 'env' | 'paths'>,
  signal: AbortSignal,
): Promise<string> {
  const isWindows = paths === win32
  const editor = env['VISUAL'] || env['EDITOR'] || (isWindows ? 'notepad' : 'vi')
  const folder = mkdtempSync(join(tmpdir(), 'psp-edit-'))
  try {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    // The value is a command line, such as `code --wait`, so a shell splits it.
    const [program, ...words] = isWindows
      ? [`${editor} "${file}"`]
      : (['sh', '-c', `${editor} "$1"`, 'sh', file] as const)
    const child = spawn(program, words, { stdio: 'inherit', shell: isWindows, signal, env: { ...env } })
    const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (code === 0) return edited(file)
    throw new CliError('failed', `The editor \`${editor}\` ended with ${code ?? by}, so nothing was sent.`, HINT)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function edited(file: string): string {
  try {
    return readSmallFile(file).toString('utf8')
  } catch (error) {
    throw new CliError('failed', `The edited text cannot be read: ${fileReason(error)}. Nothing was sent.`, HINT)
  }
}

const HINT = 'Set VISUAL or EDITOR to another editor.'
