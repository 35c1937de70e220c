// The files that `npm run test:binary` builds. Without it, their tests are skipped.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

const RELEASE = process.env['PSP_RELEASE']

export const isBuilt = RELEASE !== undefined

/** Returns the path of a built file. */
export const released = (name: string): string => join(RELEASE ?? '', name)

export const EXECUTABLE = released(`psp-${VERSION}-linux-x64`)

/** The name of tests that are skipped without the built files. */
export const needsRelease = (name: string): string => `${name} (needs the files of npm run test:binary)`
