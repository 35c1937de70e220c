// Every configuration key. A key can be set by a flag, by an environment variable and in psp.config.json.
import { COLOUR_MODES } from '../output/colour.ts'
import { clockText, controlToken, integer, nonEmpty, oneOf, secret, shopSecret } from '../parsing/parse.ts'
import { endpointUrl, listenHost, serverAddress } from '../parsing/parse-address.ts'

interface KeyRow<T> {
  /** The type of the value. In a variable, the entries of a list are separated by commas. */
  readonly kind: 'text' | 'integer' | 'switch' | 'list'
  readonly env: string
  readonly description: string
  readonly fallback: T
  /** Parses a string from a flag, a variable or the file: the value, or one entry of a list. */
  readonly parse: (text: string) => T extends readonly (infer E)[] ? E : NonNullable<T>
  /** `psp config` shows only the first characters of the value. */
  readonly secret?: true
}

const text = <T = string | undefined>(
  env: string,
  description: string,
  fallback: T,
  parse: (text: string) => unknown = nonEmpty,
) => ({ kind: 'text', env, description, fallback, parse: parse as KeyRow<T>['parse'] }) satisfies KeyRow<T>
const secretText = (env: string, description: string, parse = secret) =>
  ({ ...text<string | undefined>(env, description, undefined, parse), secret: true }) satisfies KeyRow<
    string | undefined
  >
const number = <T extends number | undefined>(
  env: string,
  description: string,
  fallback: T,
  min: number,
  max?: number,
) =>
  ({ kind: 'integer', env, description, fallback, parse: integer(min, max) as KeyRow<T>['parse'] }) satisfies KeyRow<T>
const flag = (env: string, description: string) =>
  ({
    kind: 'switch',
    env,
    description,
    fallback: false,
    parse: switchOf as KeyRow<boolean>['parse'],
  }) satisfies KeyRow<boolean>

const none = undefined as string | undefined

export const CONFIG_KEYS = {
  url: text('PSP_URL', 'base URL of a running server', none, serverAddress),
  data: text<string>('PSP_DATA', 'data directory', '.psp'),
  api_key: secretText('PSP_API_KEY', 'API key, sk_test_… or sk_live_…'),
  signing_secret: secretText('PSP_SIGNING_SECRET', 'shop secret thm_…: signs requests', shopSecret('signing_secret')),
  webhook_secret: secretText('PSP_WEBHOOK_SECRET', 'webhook secret whs_…', shopSecret('webhook_secret')),
  control_token: secretText(
    'PSP_CONTROL_TOKEN',
    'token of the control API; at least 16 characters if other machines can reach the server',
    controlToken,
  ),
  view_token: secretText(
    'PSP_VIEW_TOKEN',
    'accept this token for reading only; at least 16 characters if other machines can reach the server',
    controlToken,
  ),
  json: flag('PSP_JSON', "print JSON on stdout and nothing else; exec also passes on its command's stdout"),
  quiet: flag('PSP_QUIET', 'print no notes on stderr; serve also prints no request log'),
  debug: flag('PSP_DEBUG', 'print stack traces of errors'),
  color: text<(typeof COLOUR_MODES)[number]>('PSP_COLOR', 'colour: auto, always or never', 'auto', (given) =>
    oneOf(given, COLOUR_MODES),
  ),
  port: number('PSP_PORT', 'port of the server; 0 picks a free one', 7770, 0, 65_535),
  host: text<string>('PSP_HOST', 'address that the server listens on', '127.0.0.1', listenHost),
  ephemeral: flag('PSP_EPHEMERAL', 'keep everything in memory only'),
  seed: text('PSP_SEED', 'file with initial shops, rules and payments', none),
  clock: text(
    'PSP_CLOCK',
    'mode of the clock: real, frozen, frozen@TIME, or xN for N times normal speed',
    none,
    clockText,
  ),
  buyer: text('PSP_BUYER', 'auto: the simulator acts for the buyer; manual: you do', none, (given) =>
    oneOf(given, ['auto', 'manual']),
  ),
  random_seed: number<number | undefined>(
    'PSP_RANDOM_SEED',
    'number that makes ids and random choices the same on every run; with a frozen clock, times too',
    undefined,
    0,
  ),
  endpoint: {
    kind: 'list',
    env: 'PSP_ENDPOINT',
    description: 'webhook endpoints to add',
    fallback: [] as readonly string[],
    parse: endpointUrl,
  } satisfies KeyRow<readonly string[]>,
  rate_limit: number<number | undefined>('PSP_RATE_LIMIT', 'requests per second for each merchant', undefined, 0),
  pay_url: text('PSP_PAY_URL', 'base URL of the hosted payment page', none, serverAddress),
  shard: number<number | undefined>(
    'PSP_SHARD',
    'number of this server behind a proxy; it becomes part of new API keys and UUIDs',
    undefined,
    0,
    255,
  ),
  durable: flag('PSP_DURABLE', 'sync each change to the disk before the response'),
  ready_file: text(
    'PSP_READY_FILE',
    'file that the server writes when it is ready (url, port, pid, keys), and removes when it stops',
    none,
  ),
  exit_with_parent: flag('PSP_EXIT_WITH_PARENT', 'stop `serve` or `exec` when its parent process ends'),
  generate_credentials: flag('PSP_GENERATE_CREDENTIALS', 'create random credentials for a new data directory'),
} as const

export type ConfigKey = keyof typeof CONFIG_KEYS
export type ConfigValues = { readonly [K in ConfigKey]: (typeof CONFIG_KEYS)[K]['fallback'] }

export const CONFIG_NAMES = Object.keys(CONFIG_KEYS) as ConfigKey[]

const ON = ['1', 'true', 'yes', 'on']
const OFF = ['0', 'false', 'no', 'off', '']

function switchOf(given: string): boolean {
  const word = given.trim().toLowerCase()
  return ON.includes(word) || (!OFF.includes(word) && oneOf(given, ['true', 'false']) === 'true')
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the value of a `PSP_…` variable. White space at both ends is removed, such as
 * the carriage return of an `.env` file with Windows line ends. A blank variable counts as not set.
 */
export function variable(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim()
  return text === '' ? undefined : text
}

/** `order_id` to `--order-id`. */
export function flagName(name: string): string {
  return `--${name.replaceAll('_', '-')}`
}
