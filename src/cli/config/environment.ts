/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the value of a variable, by the one rule for all `PSP_…` variables. White space at both ends is dropped, such as
 * the carriage return of an `.env` file with Windows line ends. A blank variable counts as not set.
 */
export function variable(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim()
  return text === '' ? undefined : text
}
