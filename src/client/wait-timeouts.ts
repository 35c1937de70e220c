// Reports timed-out waits to the parent `psp exec`, because only the waiting process knows about them.
import { appendFileSync, readFileSync } from 'node:fs'

/** The environment variable that names the report file, for every process that `psp exec` starts. */
export const WAITS_VARIABLE = 'PSP_EXEC_WAITS'

type Environment = { readonly [name: string]: string | undefined }

/**
 * Reports a wait that timed out. Does nothing if `psp exec` did not start the process.
 * @param text one line
 */
export function recordTimeout(env: Environment, text: string): void {
  const file = env[WAITS_VARIABLE]
  if (file === undefined) return
  try {
    appendFileSync(file, `${JSON.stringify(text)}\n`)
  } catch {
    // A process in a container cannot access the file.
  }
}

/** Returns the reported waits, oldest first. */
export function timedOutWaits(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => String(JSON.parse(line)))
  } catch {
    return []
  }
}
