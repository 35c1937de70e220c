// Reads and validates a seed file.
import { RefusalError } from '../../domain/errors.ts'
import { assembleSandbox, readSeed, type SandboxOptions } from '../../sandbox.ts'
import { usageError } from '../failure.ts'
import { type InputContext, readText } from '../input/read-input.ts'

type Seed = NonNullable<SandboxOptions['seed']>

const SEED_HELP =
  'See docs/reference/seed.md. With `"$schema": "./node_modules/psp-sandbox/fixtures/psp.seed.schema.json"` an editor checks the file.'

/**
 * @param settings the configured settings, which the server will use in addition to the settings of the seed
 * @throws CliError if the seed is invalid
 */
export async function loadSeed(
  path: string,
  session: InputContext,
  settings: SandboxOptions['settings'] = {},
): Promise<Seed> {
  const text = await readText(path, session)
  try {
    const seed = readSeed(parse(text, path), text)
    await applyInMemory(seed, settings)
    return seed
  } catch (error) {
    if (error instanceof RefusalError)
      throw usageError(`${path}: ${error.message}`, `Nothing was created. ${SEED_HELP}`)
    throw error
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usageError(
      `${path} is not JSON: ${(error as Error).message}`,
      `JSON has no comments and no trailing commas. ${SEED_HELP}`,
    )
  }
}

/** Applies the seed in memory. Only this finds semantic errors, such as a key that already exists. */
async function applyInMemory(seed: Seed, settings: NonNullable<SandboxOptions['settings']>): Promise<void> {
  const sandbox = await assembleSandbox({ seed, settings, clock: { mode: 'frozen' }, holdDeliveries: true })
  await sandbox.close({ grace_ms: 0 })
}
