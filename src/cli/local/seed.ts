// The seed file: read, checked whole, and tried in memory, before a data folder is touched.
import { Refusal } from '../../domain/errors.ts'
import { assembleSandbox, readSeed, type SandboxOptions } from '../../sandbox.ts'
import { usage } from '../failure.ts'
import type { Listening } from '../input/read-input.ts'
import { readText } from '../input/text-file.ts'

type Seed = NonNullable<SandboxOptions['seed']>

const FORM =
  'What a seed may hold: docs/reference/seed.md; `"$schema": "./node_modules/psp-sandbox/fixtures/psp.seed.schema.json"` in it lets an editor check it.'

/** @param settings in force beside those of the seed */
export async function loadSeed(
  path: string,
  session: Listening,
  settings: SandboxOptions['settings'] = {},
): Promise<Seed> {
  const text = await readText(path, session)
  try {
    const seed = readSeed(parse(text, path), text)
    await tryOut(seed, settings)
    return seed
  } catch (error) {
    if (error instanceof Refusal) throw usage(`${path}: ${error.message}`, `Nothing was made. ${FORM}`)
    throw error
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usage(
      `${path} is not JSON: ${(error as Error).message}`,
      `JSON has no comments and no trailing commas. ${FORM}`,
    )
  }
}

/** What the simulator itself refuses (a magic amount, a key that is taken) shows only when it is done. */
async function tryOut(seed: Seed, settings: NonNullable<SandboxOptions['settings']>): Promise<void> {
  const sandbox = await assembleSandbox({ seed, settings, clock: { mode: 'frozen' }, holdDeliveries: true })
  await sandbox.close({ grace_ms: 0 })
}
