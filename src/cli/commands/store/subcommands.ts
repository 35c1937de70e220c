import { formatDateTime } from '../../../domain/time-text.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { noteClock } from '../../output/notes.ts'
import { whileWorking } from '../../output/progress.ts'
import { printResult } from '../../output/result.ts'
import { printPage } from '../../output/table.ts'
import { snapshotName } from '../../parsing/parse.ts'
import type { Session } from '../../session.ts'
import { requireSameSandbox } from '../../target/other-server.ts'
import type { NAME, RESET_FLAGS } from '../store.ts'

export const reset: Run<NoArguments, typeof RESET_FLAGS> = async ({ flags, session }) => {
  await requireSameSandbox(session)
  const { client } = await session.target()
  const response = await client.control.store.reset(flags.all ? { all: true } : undefined)
  return await printResult(session.out, response, () => session.out.line(flags.all ? 'reset completely' : 'reset'))
}

export const snapshots: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { client } = await session.target()
  const page = await client.control.store.snapshots()
  if (page.items.length > 0) await noteClock(client, session, 'machine')
  return await printPage(session.out, page, COLUMNS, 'No snapshots. Take one: psp store snapshot NAME')
}

const COLUMNS = [
  { title: 'snapshot', cell: ({ name }: { name: string }) => name },
  { title: 'taken (UTC)', cell: ({ taken_at }: { taken_at?: string }) => formatDateTime(taken_at ?? '') },
]

export const snapshot: Run<typeof NAME, NoFlags> = async ({ args, session }) => {
  const name = snapshotName(args.name)
  // A named directory that does not exist is a typo. The default one is created,
  // so that a test suite can save the empty sandbox before its first test.
  const { client } = await session.target(session.config.origins.data === 'default' ? 'folder' : 'existing')
  const response = await whileWorking(session, `saving ${name}`, () => client.control.store.snapshot(name))
  return await printResult(session.out, response, () => session.out.line(`snapshot ${name} taken`))
}

export const restore: Run<typeof NAME, NoFlags> = async ({ args, session }) => {
  const name = snapshotName(args.name)
  await requireSameSandbox(session)
  const { client } = await session.target()
  const response = await whileWorking(session, `restoring ${name}`, () => client.control.store.restore(name))
  return await printResult(session.out, response, () => {
    session.out.line(`snapshot ${name} restored`)
    noteRemovedSecrets(session, response)
  })
}

export const forget: Run<typeof NAME, NoFlags> = async ({ args, session }) => {
  const name = snapshotName(args.name)
  await requireSameSandbox(session)
  const { client } = await session.target()
  await client.control.store.removeSnapshot(name)
  return await printResult(session.out, { name, deleted: true }, () => session.out.line(`snapshot ${name} deleted`))
}

/** Prints a note if the server has removed public secrets from an imported or restored state. */
export function noteRemovedSecrets({ out }: Session, result: unknown): void {
  const { removed_former_secrets: count } = (result ?? {}) as { readonly removed_former_secrets?: number }
  if (count === undefined) return
  const secrets = count === 1 ? 'a former secret that is public' : `${count} former secrets that are public`
  const state = count === 1 ? 'The secret was' : 'The secrets were'
  out.note(`The server removed ${secrets}, because other machines can reach the server. ${state} not in use.`)
}
