import type { Session } from '../../session.ts'
import { type Found, ok, warn } from './checks-contract.ts'
import { type Holder, holderOf } from './lock-holder.ts'

export async function checkLock(session: Session): Promise<Found> {
  const { data } = session.values
  const holder = await holderOf(session)
  switch (holder.kind) {
    case 'nobody':
      return ok(`${data} is not locked`)
    case 'dead':
      return ok(`${data} has a stale lock of process ${holder.pid}, which has exited. The next command replaces it`)
    case 'foreign':
      return foreign(data, holder)
    case 'alive': {
      const held = `${data} is in use by process ${holder.pid}${holder.url === undefined ? '' : ` at ${holder.url}`}`
      if (!holder.silent) return ok(held)
      return warn(
        `${held}, which does not respond`,
        `It may be starting or suspended. Wait, or stop it with \`kill ${holder.pid}\`.`,
      )
    }
  }
}

function foreign(data: string, { pid, host, url }: Extract<Holder, { kind: 'foreign' }>): Found {
  const where = `${data} is locked by process ${pid} of a container or another machine${host === undefined ? '' : ` (${host})`}`
  if (url !== undefined) {
    return warn(
      `${where}, whose server is at ${url}`,
      `Use it with --url ${url}. Commands cannot open the directory while it runs.`,
    )
  }
  return warn(
    `${where}, which is still alive`,
    'Use its published port with --url. Commands cannot open the directory while it runs. If it has exited, wait 10 s.',
  )
}
