// Checks the options of `startSandbox`, because JavaScript has no compiler that would find a typo.
import { isJsonObject } from '../domain/json-values.ts'
import { requireKnownOptions } from '../domain/known-options.ts'
import { quote } from '../domain/zod-messages.ts'
import type { InProcessOptions, ServerOptions, StartOptions } from './options.ts'

const BOTH = {
  endpoints: true,
  receiver: true,
  timeout: true,
  apiKey: true,
  signingSecret: true,
  webhookSecret: true,
} as const

const IN_PROCESS = {
  ...BOTH,
  url: true,
  port: true,
  host: true,
  controlToken: true,
  listen: true,
  clock: true,
  randomSeed: true,
  settings: true,
  seed: true,
  rules: true,
  faults: true,
} satisfies Record<keyof InProcessOptions, true>

const ON_SERVER = { ...BOTH, url: true, controlToken: true } satisfies Record<keyof ServerOptions, true>

/** @throws TypeError that names the invalid option */
export function checkOptions(options: StartOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`startSandbox takes an object, such as { clock: 'frozen' }; it got ${String(options)}.`)
  }
  if (options.url === undefined) requireKnownOptions('startSandbox', options, Object.keys(IN_PROCESS))
  else requireKnownOptions('startSandbox with url', options, Object.keys(ON_SERVER))
  checkNumber('port', 'port' in options ? options.port : undefined, 0, 65_535)
  checkNumber('timeout', options.timeout, 0, Number.MAX_SAFE_INTEGER)
  const { host, controlToken, seed, rules, faults } = options as InProcessOptions
  if (host !== undefined && (typeof host !== 'string' || host.trim() === '')) {
    throw new TypeError(`host: expected an address such as 127.0.0.1, got ${quote(host)}.`)
  }
  // A token with other characters cannot be sent in a header.
  if (controlToken !== undefined && (typeof controlToken !== 'string' || !/^[\x21-\x7e]+$/.test(controlToken))) {
    throw new TypeError('controlToken: expected visible ASCII characters without spaces. Omit it if there is no token.')
  }
  if (seed !== undefined && !isJsonObject(seed)) {
    throw new TypeError(`seed: expected an object, got ${quote(seed)}.`)
  }
  for (const [name, value] of Object.entries({ rules, faults })) {
    if (value !== undefined && !Array.isArray(value)) throw new TypeError(`${name}: expected a list.`)
  }
}

/** @throws TypeError unless `value` is omitted or an integer in the range */
export function checkNumber(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return
  throw new TypeError(`${name}: expected an integer from ${min} to ${max}, got ${quote(value)}.`)
}
