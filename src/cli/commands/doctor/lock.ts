import type { Session } from '../../session.ts'
import { type Found, ok, warn } from './checks-contract.ts'
import { holderOf } from './holder.ts'

export async function checkLock(session: Session): Promise<Found> {
  const { data } = session.values
  const holder = await holderOf(session)
  switch (holder.kind) {
    case 'nobody':
      return ok(`nobody holds ${data}`)
    case 'dead':
      return ok(`${data} was left locked by process ${holder.pid}, which is gone: who comes next takes it over`)
    case 'foreign':
      return warn(
        `${data} is locked from elsewhere, as a container, and its server answers at ${holder.url}`,
        `Talk to it with --url ${holder.url}; what opens the folder itself would write beside it.`,
      )
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
