/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the value of a `PSP_…` variable. White space at both ends is removed, such as
 * the carriage return of an `.env` file with Windows line ends. A blank variable counts as not set.
 */
export function variable(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim()
  return text === '' ? undefined : text
}
