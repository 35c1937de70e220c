// Short subcommands as data: one request to the sandbox, and how to print its result.
import type { Client } from '../client/client.ts'
import type { Page } from '../client/control-types.ts'
import type { Call, NoFlags, Run } from './command.ts'
import type { Output } from './output/output.ts'
import { printResult } from './output/result.ts'
import { type Column, printPage } from './output/table.ts'
import type { Argument, ArgumentSet, FlagSet } from './parsing/flags.ts'

type Request<A extends ArgumentSet, F extends FlagSet, T> = (client: Client, call: Call<A, F>) => Promise<T>

/** Sends a request and prints the response: unchanged with `--json`, otherwise with `print`. */
export function resultSubcommand<A extends ArgumentSet, F extends FlagSet, T>(
  request: Request<A, F, T>,
  print: (out: Output, result: T, call: Call<A, F>) => void | Promise<void>,
): Run<A, F> {
  return async (call) => {
    const { out } = call.session
    const { client } = await call.session.target()
    return await printResult(out, await request(client, call), (result) => print(out, result, call))
  }
}

/**
 * Creates a subcommand that prints a page of a list.
 * @param emptyNote the note if there are no rows
 */
export function listSubcommand<A extends ArgumentSet, F extends FlagSet, Row>(
  request: Request<A, F, Page<Row>>,
  columns: readonly Column<Row>[],
  emptyNote: string,
): Run<A, F> {
  return async (call) => {
    const { client } = await call.session.target()
    return await printPage(call.session.out, await request(client, call), columns, emptyNote, call.flags)
  }
}

/**
 * Creates a subcommand that deletes the object with an id.
 * @param participle the past participle to print, such as `removed`
 */
export function deleteSubcommand(
  kind: string,
  participle: string,
  request: (client: Client, id: string) => Promise<unknown>,
): Run<{ readonly id: Argument<string> }, NoFlags> {
  return resultSubcommand(
    async (client, { args: { id } }) => {
      await request(client, id)
      return { id, deleted: true }
    },
    (out, { id }) => out.line(`${kind} ${id} ${participle}`),
  )
}
