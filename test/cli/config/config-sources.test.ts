// A value has the same meaning, or gets the same error, in a flag, a variable and psp.config.json.
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands/index.ts'
import { type ConfigSources, resolveConfig } from '../../../src/cli/config/config.ts'
import { parseConfigFile } from '../../../src/cli/config/config-file.ts'
import { CONFIG_KEYS, CONFIG_NAMES, type ConfigKey, flagName } from '../../../src/cli/config/config-keys.ts'
import { PLAIN } from '../../../src/cli/output/colour.ts'
import { buildParser } from '../../../src/cli/parsing/parser.ts'
import { randomnessOf } from '../../../src/random.ts'

/** The parser of `psp serve` alone, because building all commands is slow. */
const SERVE = { ...COMMANDS, commands: COMMANDS.commands.filter(({ name }) => name === 'serve') }

const NONE: ConfigSources = { flags: new Map(), set: [], env: {}, file: parseConfigFile('{}') }

/** Texts of each kind that some key accepts or rejects. */
const TEXTS = [
  ...[
    'x',
    '-1',
    '0',
    '1',
    '7',
    '255',
    '256',
    '65535',
    '65536',
    '9007199254740991',
    '9007199254740992',
    '1.5',
    '1e3',
    '007',
  ],
  ...[' 42 ', 'localhost', '127.0.0.1', '0.0.0.0', '[::1]', '::1', 'localhost:7831/hooks', ':3000/x', '/hooks', '3000'],
  ...[
    'http://u:p@h/',
    'https://u@h/x',
    'http://h/x?y=1#z',
    'ftp://h/',
    'javascript:alert',
    'javascript:alert(1)',
    '//h/x',
  ],
  ...[
    'http://',
    'https://pay.example/',
    'https://pay.example/a/b///',
    'HTTPS://PAY.example',
    'http://h h/',
    'C:\\hooks',
  ],
  ...[
    'real',
    'frozen',
    'frozen@2026-05-06T12:00:00Z',
    'frozen@soon',
    'x60',
    'x0',
    ' real ',
    'fast',
    'auto',
    'manual',
    'Auto',
  ],
  ...[
    'always',
    'never',
    'thm_x',
    'whs_x',
    'thm_',
    'whs_',
    'thm_aaaaaaaaaaaaaaaa',
    'whs_aaaaaaaaaaaaaaaa',
    'thm_a b',
    'whs_ключ',
  ],
  ...[
    'sk_test_abc123_x',
    'sk_live_abc123_x',
    'sk_test_abc123_x\r\n',
    'sk test',
    ' ',
    '\t',
    '.psp',
    './seed.json',
    'über',
    '\u0007',
  ],
  ...['true', 'false', `thm_${'a'.repeat(200)}`, `whs_${'a'.repeat(201)}`, '--json', '-', '=', 'a=b'],
]

/** Returns random combinations of pieces, for texts that no list contains. */
function randomTexts(count: number): readonly string[] {
  const { token } = randomnessOf('config sources')
  const pick = (from: readonly string[]) =>
    from[[...token(4)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % from.length] ?? ''
  const pieces = [
    'http://',
    'https://',
    'localhost',
    ':',
    '3000',
    '/',
    'x',
    '@',
    'u',
    '?',
    '#',
    'thm_',
    'whs_',
    'sk_test_',
    ' ',
    '-',
    '1',
    '.',
    'frozen@',
    'é',
  ]
  return Array.from({ length: count }, () => `${pick(pieces)}${pick(pieces)}${pick(pieces)}${pick(pieces)}`)
}

type Outcome = { readonly value: unknown } | { readonly refused: string; readonly hint: string }

function outcome(key: ConfigKey, origin: RegExp, resolve: () => ConfigSources): Outcome {
  try {
    return { value: resolveConfig(resolve()).values[key] }
  } catch (error) {
    const { message, hint } = error as { message: string; hint: string }
    expect(message).toMatch(origin)
    return { refused: message.replace(origin, ''), hint }
  }
}

function parsed(...words: readonly string[]): ConfigSources['flags'] {
  let flags: ConfigSources['flags'] = new Map()
  const parser = buildParser(SERVE, {
    version: '0',
    help: { paint: PLAIN, columns: 80 },
    json: false,
    write: () => {},
    onInvoke: ({ config }) => {
      flags = config.flags
    },
  })
  parser.parse(['serve', ...words], { from: 'user' })
  return flags
}

function byFlag(key: ConfigKey, texts: readonly string[]): ConfigSources {
  const flags = parsed(...texts.map((text) => `${flagName(key)}=${text}`))
  if (!flags.has(key)) throw new Error(`serve has no ${flagName(key)}`)
  return { ...NONE, flags }
}

const byVariable = (key: ConfigKey, text: string): ConfigSources => ({ ...NONE, env: { [CONFIG_KEYS[key].env]: text } })
/** Variables are trimmed, and a blank variable counts as not set. */
const isTrimmed = (text: string) => text !== text.trim()

const byFile = (key: ConfigKey, value: unknown): ConfigSources => ({
  ...NONE,
  file: parseConfigFile(JSON.stringify({ [key]: value })),
})

const VALUED = CONFIG_NAMES.filter((key) => CONFIG_KEYS[key].kind !== 'switch')
const FLAG = (key: ConfigKey) => new RegExp(`^${flagName(key)}: `)
const VARIABLE = (key: ConfigKey) => new RegExp(`^${CONFIG_KEYS[key].env}: `)
const IN_FILE = /^psp\.config\.json: [a-z_]+(\[\d+\])?: /

describe.each(VALUED)('%s', (key) => {
  const { kind } = CONFIG_KEYS[key]

  test('a flag, a variable and the file accept and reject the same texts with the same result', () => {
    const texts = [...TEXTS, ...randomTexts(150)].filter((text) => kind !== 'list' || !text.includes(','))
    const taken = texts.filter((text) => {
      const flag = outcome(key, FLAG(key), () => byFlag(key, [text]))
      if (!isTrimmed(text)) {
        expect(
          outcome(key, VARIABLE(key), () => byVariable(key, text)),
          `variable: ${text}`,
        ).toEqual(flag)
      }
      // JSON has only one form for a number, so other forms cannot be in the file.
      const inFile = kind === 'integer' ? Number(text) : kind === 'list' ? [text] : text
      if (kind !== 'integer' || String(inFile) === text) {
        expect(
          outcome(key, IN_FILE, () => byFile(key, inFile)),
          `file: ${text}`,
        ).toEqual(flag)
      }
      return 'value' in flag
    })
    // Each key accepts some texts and rejects others, so the comparison is not empty.
    expect(taken.length).toBeGreaterThan(0)
    expect(taken.length).toBeLessThan(texts.length)
  })
})

test('a list with several entries is the same from a flag, a variable and the file', () => {
  const given = ['localhost:1/a', '2', '/c']
  const flag = outcome('endpoint', FLAG('endpoint'), () => byFlag('endpoint', given))
  expect(flag).toEqual({ value: ['http://localhost:1/a', 'http://localhost:2', 'http://localhost:3000/c'] })
  expect(outcome('endpoint', VARIABLE('endpoint'), () => byVariable('endpoint', given.join(',')))).toEqual(flag)
  expect(outcome('endpoint', IN_FILE, () => byFile('endpoint', given))).toEqual(flag)
  expect(() => byFile('endpoint', ['3000', 'http://u:p@h/'])).toThrow(/^psp\.config\.json: endpoint\[1\]: .*user name/)
})

test.each(CONFIG_NAMES.filter((key) => CONFIG_KEYS[key].kind === 'switch'))(
  'the switch %s is the same from a flag, a variable and the file',
  (key) => {
    const on = outcome(key, FLAG(key), () => ({ ...NONE, flags: parsed(flagName(key)) }))
    expect(on).toEqual({ value: true })
    for (const value of [true, false]) {
      expect(outcome(key, VARIABLE(key), () => byVariable(key, String(value)))).toEqual({ value })
      expect(outcome(key, IN_FILE, () => byFile(key, value))).toEqual({ value })
    }
  },
)

describe('an invalid value', () => {
  test.each<[ConfigKey, string, string]>([
    ['endpoint', 'x', 'is a word, not an address'],
    ['endpoint', 'http://u:p@h/', 'contains a user name or password'],
    ['signing_secret', 'x', 'Expected thm_'],
    [
      'signing_secret',
      'whs_aaaaaaaaaaaa',
      'A whs_ secret signs webhooks. Use a secret that begins with thm_, which signs requests.',
    ],
    [
      'webhook_secret',
      'thm_aaaaaaaaaaaa',
      'A thm_ secret signs requests. Use a secret that begins with whs_, which signs webhooks.',
    ],
    ['pay_url', 'javascript:alert', 'is not an address'],
    ['pay_url', 'x', 'does not begin with http:// or https://'],
    ['url', '0.0.0.1', 'does not begin with http:// or https://'],
    ['url', 'http://7770', 'the host 7770 would become 0.0.30.90'],
    ['host', 'localhost:7770', 'is not an address to listen on'],
    ['host', 'http://0.0.0.0', 'is not an address to listen on'],
    ['pay_url', 'https://u:p@pay.example', 'contains a user name or password'],
    ['pay_url', 'https://pay.example/?a=1', 'a base URL cannot have a query'],
    ['clock', 'fast', 'is not a clock'],
  ])('%s: "%s" is refused from a flag, a variable and the file', (key, text, words) => {
    const refusal = { exit: 'usage', message: expect.stringContaining(words) }
    const value = CONFIG_KEYS[key].kind === 'list' ? [text] : text
    for (const resolve of [() => byFlag(key, [text]), () => byVariable(key, text), () => byFile(key, value)]) {
      expect(() => resolveConfig(resolve())).toThrow(expect.objectContaining(refusal))
    }
  })
})
