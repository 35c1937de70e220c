import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { refusal } from '../../../client/caller.ts'
import type { NoFlags, Run } from '../../command.ts'
import { notWritten } from '../../write-output.ts'
import type { FILE } from './flags.ts'

/** Streamed: the state may be larger than a text can be. The file holds secrets, so it is for this user only. */
export const run: Run<typeof FILE, NoFlags> = async ({ args, session }) => {
  const { out, host } = session
  const { client } = await session.target()
  const reply = await client.raw.control.open({ method: 'GET', path: '/_psp/export' })
  if (reply.status !== 200 || reply.body === null) throw await refusal(reply, '/_psp/export')
  if (args.file === '-') {
    const decoder = new TextDecoder()
    for await (const chunk of reply.body) out.text(decoder.decode(chunk, { stream: true }))
    out.line()
    return 0
  }
  const path = resolve(host.cwd, args.file)
  try {
    await pipeline(reply.body, createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    throw notWritten(args.file, error)
  }
  if (out.json) out.document({ file: path })
  else out.line(`written to ${args.file}; it holds secrets`)
  return 0
}
