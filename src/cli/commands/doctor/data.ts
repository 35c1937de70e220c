// Whether the data folder can be opened. A folder that a server holds is not touched.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliError } from '../../failure.ts'
import { lockOf } from '../../lock-of.ts'
import type { Session } from '../../session.ts'
import type { Finding } from './checks-contract.ts'

export async function checkData(session: Session): Promise<Omit<Finding, 'name'>> {
  const { values, host } = session
  const folder = resolve(host.cwd, values.data)
  if (!existsSync(folder)) return { result: 'ok', found: `${values.data} does not exist yet` }
  if (lockOf(folder) !== undefined) return { result: 'ok', found: `${values.data} is open in its server` }
  try {
    const { openSandbox } = await import('../../open-sandbox.ts')
    const sandbox = await openSandbox(session, { folder, holdDeliveries: true })
    await sandbox.close({ grace_ms: 0 })
    return { result: 'ok', found: `${values.data} opens without a complaint` }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    const damaged = error instanceof CliError && error.code === 'folder_damaged'
    return { result: 'fail', found, fix: damaged ? DAMAGED : 'Take another folder with --data, or free this one.' }
  }
}

const DAMAGED =
  'Ways to go on: what the message says; put the named file back from a backup; delete its last line where only the newest changes are broken; `psp serve --data NEW` begins afresh and leaves this folder alone.'
