// Who holds the data folder, as far as its lock and the url in it tell.
import { readFileSync } from 'node:fs'
import { layoutOf } from '../../../store/layout.ts'
import type { LockInfo } from '../../../store/lock-file.ts'
import { lockOf } from '../../lock-of.ts'
import { dataFolder } from '../../named-path.ts'
import { pspAt } from '../../neighbour.ts'
import type { Session } from '../../session.ts'

export type Holder =
  | { readonly kind: 'nobody' }
  /** Its process is gone. */
  | { readonly kind: 'dead'; readonly pid: number }
  /** Its process is not to be seen from here, yet its url answers: it lives in a container, or on another machine. */
  | { readonly kind: 'foreign'; readonly url: string }
  /** `silent`: its url does not answer. */
  | { readonly kind: 'alive'; readonly pid: number; readonly url?: string; readonly silent: boolean }

export async function holderOf(session: Session): Promise<Holder> {
  const folder = dataFolder(session)
  const alive = lockOf(folder)
  if (alive !== undefined) {
    const { pid, url } = alive
    if (url === undefined) return { kind: 'alive', pid, silent: false }
    return { kind: 'alive', pid, url, silent: (await pspAt(session, url)) === undefined }
  }
  const left = lockFile(folder)
  if (left === undefined) return { kind: 'nobody' }
  const found = left.url === undefined ? undefined : await pspAt(session, left.url)
  const isIts = found !== undefined && (found.pid ?? left.pid) === left.pid
  return isIts ? { kind: 'foreign', url: found.url } : { kind: 'dead', pid: left.pid }
}

function lockFile(folder: string): Pick<LockInfo, 'pid' | 'url'> | undefined {
  try {
    const { pid = 0, url } = JSON.parse(readFileSync(layoutOf(folder).lock, 'utf8')) as Partial<LockInfo>
    return { pid, ...(url === undefined ? {} : { url }) }
  } catch {
    return undefined
  }
}
