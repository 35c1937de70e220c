import type { FaultBody, RuleBody } from '../client/control-types.ts'
import type { Credentials } from '../domain/default-shop.ts'
import { quote } from '../domain/zod-messages.ts'
import { readSeed, type SandboxOptions } from '../sandbox.ts'
import { CLOCK_FORMS, parseClock } from '../time/clock-syntax.ts'
import type { InProcessOptions } from './options.ts'

/** The host of a sandbox without a server. */
export const NO_SERVER_HOST = 'psp.test'

/** @throws TypeError for an invalid clock, RefusalError `bad_request` that names the position in the seed */
export function sandboxOptions(options: InProcessOptions): SandboxOptions {
  const { clock, randomSeed, settings, host, controlToken } = options
  const seed = seedOf(options)
  return {
    credentials: credentialsOf(options),
    ...(clock === undefined ? {} : { clock: clockOf(clock) }),
    ...(randomSeed === undefined ? {} : { randomSeed }),
    ...(settings === undefined ? {} : { settings }),
    ...(seed === undefined ? {} : { seed: readSeed(seed) }),
    control: {
      host: options.listen === false ? NO_SERVER_HOST : (host ?? '127.0.0.1'),
      ...(controlToken === undefined ? {} : { token: controlToken }),
    },
  }
}

/** Puts the given rules and faults before those of the seed, so that they are tried first. */
function seedOf({ seed, rules = [], faults = [] }: InProcessOptions): object | undefined {
  if (seed === undefined && rules.length === 0 && faults.length === 0) return undefined
  const from = (seed ?? {}) as { readonly rules?: readonly RuleBody[]; readonly faults?: readonly FaultBody[] }
  return { ...from, rules: [...rules, ...(from.rules ?? [])], faults: [...faults, ...(from.faults ?? [])] }
}

function clockOf(text: string): NonNullable<SandboxOptions['clock']> {
  const clock = parseClock(text)
  if (clock !== undefined) return clock
  throw new TypeError(`clock: ${quote(text)} is not a clock. Write ${CLOCK_FORMS}.`)
}

function credentialsOf({ apiKey, signingSecret, webhookSecret }: InProcessOptions): Partial<Credentials> {
  return {
    ...(apiKey === undefined ? {} : { api_key: apiKey }),
    ...(signingSecret === undefined ? {} : { signing_secret: signingSecret }),
    ...(webhookSecret === undefined ? {} : { webhook_secret: webhookSecret }),
  }
}
