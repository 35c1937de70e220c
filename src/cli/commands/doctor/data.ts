// Checks that the data directory can be opened. One that a server uses is not opened.
import { existsSync } from 'node:fs'
import { CliError, explain } from '../../failure.ts'
import { dataFolder } from '../../input/resolve-path.ts'
import type { Session } from '../../session.ts'
import { type Found, fail, ok } from './checks-contract.ts'
import { holderOf } from './lock-holder.ts'

export async function checkData(session: Session): Promise<Found> {
  const { values } = session
  const folder = dataFolder(session)
  if (!existsSync(folder)) return ok(`${values.data} does not exist yet`)
  const { kind } = await holderOf(session)
  if (kind === 'alive' || kind === 'foreign') return ok(`${values.data} is open in its server`)
  try {
    const { openSandbox } = await import('../../local/open-sandbox.ts')
    const sandbox = await openSandbox(session, { folder, holdDeliveries: true })
    await sandbox.close({ grace_ms: 0 })
    return ok(`${values.data} can be opened`)
  } catch (error) {
    if (!(error instanceof CliError)) return fail(explain(error).message, 'Choose another directory with --data.')
    return fail(error.message, error.code === 'folder_damaged' ? DAMAGED : error.hint)
  }
}

const DAMAGED =
  'Follow the message, or restore the named file from a backup, or delete its last line if only the newest changes are damaged. `psp serve --data NEW` starts with a new directory and keeps this one.'
