import type { Session } from '../../session.ts'
import { type Found, ok, warn } from './checks-contract.ts'
import { type Holder, holderOf } from './lock-holder.ts'

export async function checkLock(session: Session): Promise<Found> {
  const { data } = session.values
  const holder = await holderOf(session)
  switch (holder.kind) {
    case 'nobody':
      return ok(`nobody holds ${data}`)
    case 'dead':
      return ok(`${data} was left locked by process ${holder.pid}, which is gone: who comes next takes it over`)
    case 'foreign':
      return foreign(data, holder)
    case 'alive': {
      const held = `${data} is held by process ${holder.pid}${holder.url === undefined ? '' : ` at ${holder.url}`}`
      if (!holder.silent) return ok(held)
      return warn(
        `${held}, which does not answer`,
        `It may be starting or stopped: wait, or end it with \`kill ${holder.pid}\`.`,
      )
    }
  }
}

function foreign(data: string, { pid, host, url }: Extract<Holder, { kind: 'foreign' }>): Found {
  const where = `${data} is locked by process ${pid} of a container or another machine${host === undefined ? '' : ` (${host})`}`
  if (url !== undefined) {
    return warn(
      `${where}, and its server answers at ${url}`,
      `Talk to it with --url ${url}: commands cannot open the folder meanwhile.`,
    )
  }
  return warn(
    `${where}, which gives signs of life`,
    'Talk to its server with --url, where its port is published; commands cannot open the folder meanwhile. Where it is dead, wait 10 s.',
  )
}
