import { usage } from '../failure.ts'

/**
 * Refuses two arguments in the wrong order.
 *
 * @param path full name of the command: `psp faults add`
 * @param isSecond whether a text can only be the second argument
 * @throws CliError exit 2 with the right order
 */
export function requireOrder(
  path: string,
  [first, second]: readonly [first: string, second: string],
  isSecond: (text: string) => boolean,
): void {
  if (!isSecond(first) || isSecond(second)) return
  throw usage('The two arguments are in the wrong order.', `Write ${path} ${second} ${first}.`)
}
