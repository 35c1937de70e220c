// A wait that timed out is known to the process that waited alone: it tells the `psp exec` that runs it.
import { appendFileSync, readFileSync } from 'node:fs'

/** Names a file, for everything `psp exec` runs. */
export const WAITS_VARIABLE = 'PSP_EXEC_WAITS'

type Environment = { readonly [name: string]: string | undefined }

/** @param text one line. Nothing happens, and nothing goes wrong, where no `psp exec` asked for it. */
export function recordTimeout(env: Environment, text: string): void {
  const file = env[WAITS_VARIABLE]
  if (file === undefined) return
  try {
    appendFileSync(file, `${JSON.stringify(text)}\n`)
  } catch {
    // A run in a container does not see the file.
  }
}

/** What was told, oldest first. */
export function timedOutWaits(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => String(JSON.parse(line)))
  } catch {
    return []
  }
}
