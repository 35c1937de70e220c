/**
 * Rejects a misspelt option, which JavaScript would ignore.
 *
 * @param call the function as a program calls it, such as `verifyWebhook`
 * @throws TypeError that names the unknown option and all known ones
 */
export function requireKnownOptions(call: string, options: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue
    throw new TypeError(`${name}: ${call} has no such option. It has ${known.join(', ')}.`)
  }
}
